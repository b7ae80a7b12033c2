"""A log as a player, or everybody, could write it, and full logs that it may have been.

`view` replays what is kept of each line, since that shows what the viewer knows; `witness` goes the
other way: full logs that a log with unknown cards may have been, each audited before it is given.
"""
