"""The most valuable way to lay down a hand: melds and lay-offs, exact, with a proving bound.

A hand of twenty cards with two jokers holds some hundreds of melds, that overlap; cards laid off
compete with them, and wild cards make each of them in several ways. Which of these belong together
is found in four steps.

1. *What can be laid.* `templates` knows the natural melds of the ruleset as forms, and what a card
   brings at each place of one. `options` fills those for which the hand has the cards, with wild
   cards where one is lacking, or where it might be needed elsewhere; `chains` finds what can be
   laid off on each meld of the table, card after card. For the choice it is all the same which
   card of an offer stands for what: of all ways to lay the same cards the one that brings most is
   kept. A long run that two shorter ones equal card by card is no offer of its own, and the two
   are joined again when they are laid.
2. *Which of them together.* `packing` finds the offers that share no card and bring the most. It
   knows nothing of cards and melds: only of numbers in the bits of an integer, and their worth.
3. *Whether it can be played.* The choice takes offers as if they did not bear on each other, so
   that no way to lay the hand down can bring more: that is the bound. `playing` lays the choice on
   a `board`, which reads and counts each meld again by the book of melds, and asks the rules that
   the search does not know by itself. Nearly always it brings what the bound says, and that proves
   it to be the best.
4. *If not* (a wild card that may not stand for a card on the table, a kind of meld that another
   one masks), `choice` tries each play that there is, and asks the same of the cards that are left
   after it, unless the bound there is no better than the best way found.

Where house rules award points, which have no bound, or wild cards on the table can be exchanged,
`every_way` tries all ways. What bans on ends of turns say beforehand is known to `coming_bans`, which
asks what a turn may become (`later`). `whole_turns` lists turns from draw to discard, best first.

A solver for integer programs or constraints would need an optional package and more time: CP-SAT,
handed every meld of a hand with its points, takes ten times as long for the second step alone
(`benchmarks.best`). Going rank by rank, with the runs under way in each suit as the state, takes
polynomial time, but only for runs and groups; here kinds of meld are data, and ask for whatever
cards can have in common.
"""

from meldref_table.best.choice import best_at, best_lay_down
from meldref_table.best.objective import Goal, LayDown, Spot, Terms, terms_for
from meldref_table.best.templates import TooManyWays

__all__ = [
    "Goal",
    "LayDown",
    "Spot",
    "Terms",
    "TooManyWays",
    "best_at",
    "best_lay_down",
    "terms_for",
]
