"""docs/reference/measures.md: every measure and profile, with its source and its parameters."""

from reference_pages.markdown import code, table
from rollcall.score import MEASURES, PROFILES, open_profile

_HEAD = """# Measures and profiles

A *profile* says when a predicted answer is a gold answer; a *measure* makes a figure of that. `rollcall
measures` prints this list, `rollcall plugins NAME` the rules of one, and
[extending.md](../extending.md#measure) how to add a measure of your own. A figure is written with its
parameters: `R@10` looks at the first ten answers, `R-5` is content with five, `R>=0.8` is the share of
questions that reach 0.8, and `min(F1)` the worst of each cluster.
"""


def rendered() -> str:
    """The page."""
    rows = [
        (
            ", ".join(code(form) for form in one.thing.forms(one.name)),
            one.summary,
            one.thing.unit,
            ", ".join(one.thing.needs),
            one.thing.source,
        )
        for one in MEASURES
    ]
    rows += [
        (code("M>=t"), "The share of questions whose M is at least t, as in R>=0.8.", "", "", "QAMPARI §4.2"),
        (code("min(M)"), "The worst case of M in a cluster, averaged over clusters.", "", "", "RoMQA §3.1"),
        (code("max(M)"), "The best case of M in a cluster: Pass@N, Max@N of trials.", "", "", "WideSearch"),
    ]
    parts = [_HEAD, "\n## Measures\n\n", table(("measure", "meaning", "unit", "needs", "source"), rows)]
    parts.append("\n## Profiles\n")
    for entry in PROFILES:
        profile = open_profile(entry.name)
        shown = ", ".join(code(one) for one in profile.measures(closed=False, clustered=False))
        source = f"Source: {profile.source}. " if profile.source else ""
        details = f"\n{entry.details}\n" if entry.details else ""
        parts.append(
            f"\n### {profile.name}\n\n{profile.summary}\n\n{source}Default measures: {shown}.\n{details}"
        )
    return "".join(parts)
