"""What people and programs have in place of logs, read as logs: score sheets, and events.

`decoding` makes text of a file in whatever encoding; `source` says what a file is, and holds what
came of it; `sheets` reads score sheets, `events` the events of programs.
"""
