"""Other programs held to the cases: each is asked what a case asks, and its answers are compared.

`kit` has the questions, the answers they should get and what differs between two answers;
`program` runs the program that is asked and takes its answers; `run` asks them all.
`docs/conformance.md` describes the protocol.
"""
