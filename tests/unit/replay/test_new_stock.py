"""What nobody saw when the pile became the stock is in the hands that had it then."""

from meldref_evidence.audit import audit_text

HEAD = """[Rules "500-rummy"]
[Options "reshuffle-stock, no-calls, no-jokers"]
[Set "deal.cards=24"]
[Set "players.max=2"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd
deal Bob ?*24
up Kd
1. Ann: draw Qd; discard Jd
2. Bob: draw ?; discard Ah
3. Ann: draw 2h; discard 2h
reshuffle
"""


def codes(*lines):
    report = audit_text(HEAD + "\n".join(lines) + "\n")
    return [one.code for one in report.findings]


def test_who_drew_nothing_since_holds_no_card_of_the_new_stock():
    assert codes("4. Bob: take 2h; discard Kd") == ["hand.missing"]
    assert codes("4. Bob: take 2h; discard 3h") == []


def test_who_drew_from_the_new_stock_may_hold_one_of_its_cards():
    assert codes("4. Bob: draw ?; discard Kd") == []
    assert codes("4. Bob: draw ?; discard Kd", "5. Ann: draw Jd; discard Jd") == []


def test_a_hand_that_is_shown_card_by_card_has_as_many_cards_as_before():
    cards = "3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"
    assert codes("4. Bob: take 2h; discard 3h", f"= hand Bob {cards[3:]} 2h") == []
    assert codes(f"= hand Bob {cards}", "= hand Bob 24") == []
