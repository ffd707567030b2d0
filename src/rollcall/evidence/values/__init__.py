"""Values in text: the one way in which dates, numbers, quantities, points and texts are found.

`matcher` finds the values that are wanted; `dates` and `numbers` read what a sentence states.
"""
