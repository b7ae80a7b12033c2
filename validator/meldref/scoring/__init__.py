"""What melds and hands are worth."""
