"""Programs import names from here that `meldref_archive` has."""

from meldref.core.annex import names_of

__getattr__ = names_of("meldref_archive")
