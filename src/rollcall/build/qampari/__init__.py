"""The stages of the QAMPARI pipeline: queries mined from a graph, proved by text, worded, sampled and
released.
"""
