"""Clusters that lose questions: what remains must be a cluster still, so those with too few are left out."""

from collections import Counter
from collections.abc import Mapping
from typing import Any


def whole_clusters(rows: Mapping[str, dict[str, Any]], least: int) -> dict[str, dict[str, Any]]:
    """The rows, by key, without those of clusters that have too few."""
    sizes = Counter(row["cluster"] for row in rows.values() if row.get("cluster"))
    return {key: row for key, row in rows.items() if not row.get("cluster") or sizes[row["cluster"]] >= least}
