"""The pages of all codes, by code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from meldref.rules.base import Page

PAGES: Final[Mapping[str, Page]] = {}
