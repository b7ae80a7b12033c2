"""What anybody may ask of a position."""
