"""A simulated team with known error rates, which works through a real project in a real database.

`people` are what somebody does with an item, `team` lets them take turns as a server would, with managers
who check and adjudicate. Where the truth is known, as in a generated world, this shows what a rule finds
and what an export is worth.
"""
