"""The referee at the table: games played and shown.

`simulate` plays games of any ruleset, `best` finds the most valuable way to lay down a hand,
`sitting` referees a game while it is played, line by line, `onward` plays a position to its end,
`views` has a log as a player could write it and `known` a finding as a player may hear it,
`standings` adds score sheets up, `report` has the pages and pictures, and `environment` a table for
agents that learn.
"""
