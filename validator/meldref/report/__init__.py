"""Reports: findings and audits as text, JSON and JSON Lines, one module each."""
