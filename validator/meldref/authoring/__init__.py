"""What helps authors of rulesets."""
