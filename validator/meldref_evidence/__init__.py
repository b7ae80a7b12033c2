"""What really happened, and what nobody saw."""
