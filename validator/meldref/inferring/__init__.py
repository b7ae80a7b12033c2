"""The rules that logs were played by: found from the logs alone, with the evidence for each setting."""
