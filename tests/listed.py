"""The lines of play that the library lists: its legal moves, then those after each of them.

Spelled as `model.lines` spells them, so that the two can be laid side by side.
"""

from __future__ import annotations

from meldref.core.cards import UNKNOWN
from meldref.core.events import Call, Draw, Meld, Pass
from meldref.moves import calls as callers
from meldref.moves import exhaustive as moves
from meldref.notation.writer import write_action
from meldref.position.model import GOING_ON
from meldref.position.turn import FROM_PILE
from meldref_table.simulate.quick_moves.calling import Callers
from meldref_table.simulate.quick_moves.choices import Choices


def spelled(action):
    """An action as `model.lines` spells it: the cards of a meld in the order of their letters."""
    text = write_action(action)
    if isinstance(action, Meld | Call):
        kind, *cards = text.split()
        return " ".join([kind, *sorted(cards)])
    return text


def played(judge, position, action):
    """The position after an action; a card that nobody saw is the top of the stock."""
    after = position.copy()
    if isinstance(action, Draw) and action.card == UNKNOWN and after.stock:
        action = Draw(after.stock[-1])
    judge.play.actions[type(action)](after, action)
    return spelled(action), after


def ends(judge, position, after):
    """Whether a turn is over, or can be ended, after something was done in it, by asking about everything."""
    turn = position.turn
    over = moves.is_over(after, turn)
    if moves.between_draws(after):
        if after.turn.duty is None:
            return True
        after.turn.source = FROM_PILE  # as if no second card came
    return over or moves.finishes(judge, after, moves.MOST_STATES) is not False


def turn_moves(judge, position):
    """What the player whose turn or call it is may do, by asking about everything."""
    if position.ending is not GOING_ON:
        return
    state = position.copy()
    if state.begins:
        judge.play.begin_turn(state, state.turn.seat)
    name = state.players[state.turn.seat]
    no_draw = state.turn.opening and judge.ruleset.deal.first_turn == "no_draw"
    if moves.before_draw(state) and not no_draw:
        found = moves.draws(judge, state)
    else:
        found = [*moves.plays(judge, state), *moves.discards(judge, state)]
    for action in found:
        text, after = played(judge, state, action)
        if isinstance(action, Draw | Pass) or ends(judge, state, after):
            yield f"{name}: {text}", after
    call = state.turn.call
    if (
        call is not None
        and judge.ruleset.calls.discard == "none"
        and call.begun
        and not call.wanted
    ):
        judge.play.end_turn(state, discarded=False)
        yield f"{name}: done", state


def choices(judge, position):
    """The answer of the list of moves that is kept up in games."""
    if position.ending is not GOING_ON:
        return
    state = position.copy()
    choices = Choices(judge, state)
    draws = state.begins and choices.begins_with_draw
    if state.begins:
        judge.play.begin_turn(state, state.turn.seat)
    name = state.players[state.turn.seat]
    draws = draws or (moves.before_draw(state) and choices.begins_with_draw)
    for action in choices.draws() if draws else choices.plays():
        if action is None:
            after = state.copy()
            judge.play.end_turn(after, discarded=False)
            yield f"{name}: done", after
            continue
        text, after = played(judge, state, action)
        yield f"{name}: {text}", after


def call_moves(judge, position):
    """What the players may call on between two turns."""
    if not position.begins:
        return
    choices = Choices(judge, position)
    asked = Callers(judge, position, choices.ends)
    for seat in callers.around(position):
        for call in asked.allowed(seat, asked.worth_asking()):
            after = position.copy()
            judge.play.begin_call(after, seat)
            judge.play.actions[Call](after, call)
            yield f"{position.players[seat]}: {spelled(call)}", after


def calls_with_plays(judge, position):
    """What `meldref.moves.calls` lists, by what is called; of two alike in the pile, the upper one."""
    for called in callers.calls(judge, position):
        call = called.actions[0]
        if len(call.cards) == 1 or len(set(call.cards)) > 1:
            yield f"{position.players[called.seat]}: {spelled(call)}"


def legal_moves(judge, position, turns=turn_moves):
    """Everything that may be done now, by whomever."""
    return [*turns(judge, position), *call_moves(judge, position)]


def count_lines(judge, position, depth, turns=turn_moves):
    """How many lines there are of one action, of two, and so on."""
    counts = []
    positions = [position]
    for left in range(depth, 0, -1):
        after = [move[1] for each in positions for move in legal_moves(judge, each, turns)]
        counts.append(len(after))
        positions = after if left > 1 else []
    return counts
