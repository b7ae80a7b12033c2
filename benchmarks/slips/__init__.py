"""How many of a clerk's mistakes an audit tells once, at their place and by their name."""
