"""What somebody at the table saw of a log: the log as that player, or all, could write it, and back to full logs."""
