"""Values in text: the only code that finds dates, numbers, quantities, points and texts.

`matcher` finds the wanted values; `dates` and `numbers` read what a sentence states.
"""
