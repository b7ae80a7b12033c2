"""The rules that logs were played by: found from the logs, with the evidence for each setting.

`corpus` has logs without headers about rules, as `reading` reads them, `facts` are the sizes they
show, `equations` solves score lines for values, `judging` puts drafts (`draft`) to logs while
work is left (`budget`), and `search` keeps what pays by the `measure`; `strictness` forbids what
nobody does, or asks (also `templates.yaml`, conditions), `leeway` counts what few logs leave open,
`wording` says changes as a rulebook does, and `remedy` finds the one by which findings disappear;
`evidence` and `writing` make a rules file of it.
"""
