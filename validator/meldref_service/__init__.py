"""The answering service: one mechanism behind every program that asks meldref something.

A question has a name and arguments, and an answer, all of it JSON. `questions.schema.json` is the
one place that says which there are; `described` reads it. `Service` checks arguments and asks:
`logs`, `moves`, `houses` (rules) and `tables` (games being played) answer. A `Session` keeps what
is asked about warm, and its `draft` a log while it is typed. `lines` is the door for programs in
other languages: JSON Lines in and out; `assistant` that for assistants, whose answers `quoted` tells.

What is given are texts and data. Nothing here opens a port, or reads a file outside the folder that
a question names; without a folder no file of the user's is read.
"""

from meldref_service.described import BadQuestion
from meldref_service.service import Service
from meldref_service.session import Session

__all__ = ["BadQuestion", "Service", "Session"]
