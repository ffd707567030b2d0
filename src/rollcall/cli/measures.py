"""`rollcall measures`: every measure and every profile, with meaning and source."""

from rollcall._core.console import Screen, say_json, styled
from rollcall.cli.options import AsJson


def measures(as_json: AsJson = False) -> None:
    """List the measures and profiles, with their meaning and their source."""
    from rich.console import Group
    from rich.table import Table

    from rollcall.score.measures import MEASURES
    from rollcall.score.profiles import PROFILES, open_profile

    if as_json:
        say_json(
            {
                "measures": {entry.name: entry.summary for entry in MEASURES},
                "profiles": {entry.name: open_profile(entry.name).summary for entry in PROFILES},
            }
        )
        return
    console = Screen()
    table = Table("measure", "meaning", "source", title="Measures", title_justify="left")
    for entry in MEASURES:
        forms = entry.thing.forms(entry.name)
        table.add_row(", ".join(forms), entry.summary, entry.thing.source or entry.origin)
    table.add_row("M>=t", "share of questions whose M is at least t, as in R>=0.8", "QAMPARI §4.2")
    table.add_row("min(M)", "worst case of M in a cluster, averaged over clusters", "RoMQA §3.1")
    table.add_row("max(M)", "best case of M in a cluster: Pass@N, Max@N of trials", "WideSearch")
    console.print(table)
    table = Table("profile", "how it matches", title="Profiles", title_justify="left")
    for profile_entry in PROFILES:
        profile = open_profile(profile_entry.name)
        shown = " ".join(profile.measures(closed=False, clustered=False))
        about = (f"source: {profile.source or profile_entry.origin}", f"default measures: {shown}")
        dim = [styled((line, "dim")) for line in about]
        table.add_row(profile.name, Group(profile.summary, *dim), end_section=True)
    console.print(table)
