"""The stages of the pipeline for queries of chosen structure: templates, clusters and set operations."""
