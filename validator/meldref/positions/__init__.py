"""Positions as people write them: built, loaded from a file, and rewound to where a turn began."""
