"""What may be done in a position: legal actions, ways to meet an obligation, calls, whole turns."""
