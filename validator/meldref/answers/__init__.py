"""What anybody may ask of a position, and what they may know of it.

Is this move `legal`, and which moves are there (`listing`)? `masking` leaves of a line what a viewer
could know, `known` of what is told at a table what a player may hear, and `possible` says what
hands must and cannot hold of cards that nobody saw.
"""
