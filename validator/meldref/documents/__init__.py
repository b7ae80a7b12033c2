"""Strict YAML with places, and what people write wrongly in it.

Rules files, positions, cases and data of our own are read through `reader`; `syntax_fixes` knows
what people meant.
"""
