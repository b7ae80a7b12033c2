"""What authors of rules are told, as text and JSON."""
