"""How each command may be used, as the end of its help shows it."""

from __future__ import annotations

from typing import Final

EXAMPLES: Final = {
    "meldref audit": (
        "meldref audit friday.rgn",
        "meldref audit friday.rgn --rules house.yaml --set game.target=1000",
        "meldref audit --quiet logs",
    ),
    "meldref report": ("meldref report friday.rgn -o friday.html", "meldref report logs -o season.html"),
    "meldref legal": (
        'meldref legal "take 4c; meld 4c 4d 4h" --hand "4d 4h 9h 2c" --pile "6s 4c Qs 7h"',
        'meldref legal --hand "4d 4h 9h 2c" --pile "6s 4c Qs 7h" --turns',
        'meldref legal "draw; discard Ks" --log friday.rgn --at 9',
    ),
    "meldref melds": ('meldref melds "5h 6h 7h 8c 8d Jk"',),
    "meldref best": (
        'meldref best "5h 6h 7h 8c 8d Jk"',
        'meldref best "5h 6h 7h Ac" --table "m1: B 8h 9h Th" --rules 500-rum',
    ),
    "meldref score": (
        'meldref score --laid "5h 6h 7h" --laid "Ks Kd Jk" --held "2c Ad"',
        'meldref score --hand "Ann 45, Bob -20" --hand "Ann 60, Bob 115"',
        "meldref score friday.rgn",
    ),
    "meldref table": (
        "meldref table tonight.rgn --players Ann,Bob,Cy",
        "meldref table friday.rgn",
    ),
    "meldref replay": (
        "meldref replay friday.rgn",
        "meldref replay friday.rgn --at 9",
        "meldref replay friday.rgn --at 9 --svg > table.svg",
    ),
    "meldref fmt": ("meldref fmt friday.rgn", "meldref fmt --check logs"),
    "meldref convert": (
        "meldref convert friday.rgn -o friday.jsonl",
        "meldref convert friday.rgn --to json",
    ),
    "meldref simulate": (
        "meldref simulate --hands 3",
        "meldref simulate --games 2 --seats greedy,random,random --seed 7 -o games.rgn",
    ),
    "meldref explain": ("meldref explain draw.deep.unused", "meldref explain draw"),
    "meldref rules show": (
        "meldref rules show 500-rummy",
        "meldref rules show 500-rummy --with floating --set game.target=1000",
    ),
    "meldref rules explain": (
        "meldref rules explain draw.deep.must",
        "meldref rules explain game --rules house.yaml",
    ),
    "meldref rules new": (
        "meldref rules new lake.yaml",
        "meldref rules new pond.yaml --jokers twos --target 1000 --no-ask",
    ),
    "meldref rules check": ("meldref rules check house.yaml", "meldref rules check house.yaml --diff"),
    "meldref rules test": ("meldref rules test house.yaml", "meldref rules test house.yaml --coverage"),
    "meldref rules diff": (
        "meldref rules diff 500-rummy house.yaml",
        "meldref rules diff 500-rummy 500-rummy+floating --example",
    ),
    "meldref rules compare": ("meldref rules compare 500-rummy house.yaml --hands 100",),
    "meldref rules rulebook": (
        "meldref rules rulebook house.yaml -o house.html",
        "meldref rules rulebook 500-rum --keys",
    ),
    "meldref rules schema": ("meldref rules schema -o ruleset.schema.json",),
}
"""Command lines, by the command; the files in them are anybody's."""
