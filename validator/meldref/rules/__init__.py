"""The rules of play, one module a family.

`registry` has their order, `pages` what `explain` says of them.
"""
