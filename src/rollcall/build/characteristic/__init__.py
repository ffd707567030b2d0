"""The stages of the pipeline of queries with asked-for characteristics: templates, clusters and set
operations, alone or mixed.
"""
