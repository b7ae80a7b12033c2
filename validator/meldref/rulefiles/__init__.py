"""Rules files: found, checked against the schema, merged, fixed and traced; `load` is the door.

Files to a ruleset: `files` finds, `vocabulary` has the schema and what each key means,
`schema_errors` asks jsonschema what does not fit it, `advice` is how it asks what was meant,
`layers` orders, `merge` lays over one
another, `build` makes the model; `consistency` checks whether it can be played, with `meld_kinds`;
`compose` does all of it and asks what options need, `shelf` remembers rulesets by content across
logs, `load` is the entry point, and caches rulesets built from shipped files.

For authors: `rewriting` offers what to write instead and takes what the schema takes, `fixes` makes
edits of that, `advising` answers what `advice` asks; `show` writes a ruleset back, `trace` says who
set what over whom.
"""
