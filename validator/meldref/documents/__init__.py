"""Strict YAML with places, and what people write wrongly in it.

Rules files, positions, cases and data of our own are read through `reader`; `advice` is how it asks
what people meant, and `syntax_fixes` knows.
"""
