"""Graph-shaped queries with asked-for characteristics, as in GraphQuestions: grown, grounded,
minimised, counted.
"""
