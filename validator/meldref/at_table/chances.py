"""Programs import names from here that `meldref_evidence.chances` has."""

from meldref.core.annex import names_of

__getattr__ = names_of("meldref_evidence.chances")
