"""What anybody may know of a position.

`masking` leaves of a line what a viewer could know, and `known` of what is told at a table what a
player may hear; `possible` says what hands must and cannot hold of cards that nobody saw.
"""
