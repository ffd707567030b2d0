"""What only the four papers need: their systems, hyperparameters, tables and published figures.

`systems` registers readers and trainable systems by their published names, `tables` makes the result tables.
"""
