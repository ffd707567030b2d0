"""How the figures of an audit are written for people: shares as percentages, never 0 % for what was found."""

from rollcall.audit.findings import CheckResult


def share_shown(share: float | None) -> str:
    """A share with two decimals."""
    if share is None:
        return "–"
    return "< 0.01 %" if 0 < share < 0.0001 else f"{100 * share:.2f} %"


def interval_shown(result: CheckResult) -> str:
    """The interval of a check's share, in brackets; empty if there is none."""
    if result.interval is None:
        return ""
    low, high = result.interval
    return f"[{100 * low:.2f}, {100 * high:.2f}]"
