"""Reports: what was found, as text, as JSON and in the formats of other programs, a module each."""
