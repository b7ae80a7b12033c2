"""What is known of unseen cards, as text and as JSON."""
