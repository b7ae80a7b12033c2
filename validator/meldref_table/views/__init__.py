"""A log as a player, or everybody, could write it: what is kept of each line, replayed, shows what they know."""
