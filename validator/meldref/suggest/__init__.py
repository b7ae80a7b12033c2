"""What would have been legal instead: candidates, nearest first, and which are legal."""
