"""What would have been legal instead: candidates, nearest first, and which are legal.

`candidates` lists them, and `suggestions` asks the referee.
"""
