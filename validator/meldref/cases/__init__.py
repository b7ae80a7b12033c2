"""Case files: cases run, and the facts they compare.

`run` runs them; `expectations`: whether what a case expects can be asked, and whether it came
out; `in_vain`: which cases cannot be run, or never come out.
"""
