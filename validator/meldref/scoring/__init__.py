"""What melds and hands are worth, and what the players settle."""
