"""What would have been legal in place of what was done: candidates, nearest first, and what of them is legal."""
