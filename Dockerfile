# meldref in a container that can write nothing:
#   docker build --tag meldref --build-arg VERSION=0.1.0 .
#   docker run --rm --read-only --network none --volume "$PWD:/logs:ro" meldref audit .
FROM python:3.13-slim AS built
WORKDIR /sources
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY building building
COPY validator validator
COPY cli cli
COPY grammar grammar
COPY rulesets rulesets
COPY docs docs
COPY tests/cases tests/cases
COPY .ci/constraints.txt /constraints.txt
ARG VERSION=0.1.0.dev0
ENV SETUPTOOLS_SCM_PRETEND_VERSION=$VERSION PIP_CONSTRAINT=/constraints.txt PIP_BUILD_CONSTRAINT=/constraints.txt
RUN python -m venv /opt/meldref && /opt/meldref/bin/pip install --no-cache-dir .

FROM python:3.13-slim
COPY --from=built /opt/meldref /opt/meldref
RUN useradd --no-create-home --shell /usr/sbin/nologin --uid 10001 referee
USER 10001
# There is nowhere to keep bytecode; what meldref itself keeps, it does without.
ENV PATH=/opt/meldref/bin:$PATH PYTHONDONTWRITEBYTECODE=1
WORKDIR /logs
ENTRYPOINT ["meldref"]
CMD ["--help"]
