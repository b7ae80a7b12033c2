"""The examples in docstrings of the library answer as they say."""

import ast
import doctest
import importlib
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parents[2] / "validator"
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def docstrings(path):
    """Each docstring of a file that has an example, with the name of what it describes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        text = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
        if text and ">>> " in text:
            yield getattr(node, "name", path.stem), text


WITH_EXAMPLES = [path for path in sorted(LIBRARY.rglob("*.py")) if any(docstrings(path))]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_in_docstrings_are_true(path):
    name = ".".join(path.relative_to(LIBRARY).with_suffix("").parts)
    names = vars(importlib.import_module(name.removesuffix(".__init__")))
    for described, text in docstrings(path):
        example = doctest.DocTestParser().get_doctest(text, dict(names), described, str(path), None)
        told = []
        assert not doctest.DocTestRunner().run(example, out=told.append).failed, "".join(told)
