"""Rules files: found, checked against the schema, merged, fixed and traced; `load` is the door."""
