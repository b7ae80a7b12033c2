"""What measures speed, against peers, in one run: `python -m benchmarks.run`."""
