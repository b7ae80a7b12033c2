"""Strict YAML with places, and what people write wrongly in it.

`reader`: strict YAML with places, through which rules files, positions, cases and data of our own
are read; `syntax_fixes`: what people write wrongly in it, and what they meant.
"""
