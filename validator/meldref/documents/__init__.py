"""Strict YAML with places, and what people write wrongly in it."""
