"""What is shown of games: pages, pictures, standings."""
