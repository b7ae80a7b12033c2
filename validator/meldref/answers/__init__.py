"""What anybody may ask of a position: is this move `legal`, and which moves are there (`listing`)."""
