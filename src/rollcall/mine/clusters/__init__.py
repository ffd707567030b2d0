"""Clusters of related questions, as in RoMQA: constraints that share answers, and queries that vary them."""
