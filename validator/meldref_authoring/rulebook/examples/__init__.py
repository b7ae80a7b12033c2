"""Examples of rules: made by the solver and asked of the judge, or left out."""
