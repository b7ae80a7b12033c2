"""The referee at the table: what is asked of a position, and of a log that is being written.

`legal` judges one move and says why, `listing` lists the moves that are legal, `chances` counts the
deals of unseen cards in which one is, `onward` plays a position on with such deals, and `sitting`
is a log under way, line by line. `known` keeps from a player what only others may know.
"""
