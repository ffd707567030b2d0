"""Systems: retrievers and readers that answer a question set and leave a run."""
