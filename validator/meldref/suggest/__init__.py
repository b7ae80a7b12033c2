"""What would have been legal instead: candidates, nearest first, and which are legal.

What could have been done instead: `candidates`, the nearest first, and `suggestions`: what of
them is legal.
"""
