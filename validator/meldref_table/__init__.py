"""The referee at the table: games played, positions shown."""
