"""Where a game stands: the position, its turn, its calls, its end."""
