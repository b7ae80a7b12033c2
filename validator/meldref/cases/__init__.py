"""Case files: cases run, and the facts they compare."""
