"""`rollcall measures`: every measure and every profile, with meaning and source."""


def measures() -> None:
    """List the measures and profiles, with what they mean and where they come from."""
    from rich.table import Table

    from rollcall.score.measure import BASES
    from rollcall.score.profiles import PROFILES
    from rollcall.screen import Screen, styled

    console = Screen()
    table = Table("measure", "meaning", "source", title="Measures", title_justify="left")
    for name, base in BASES.items():
        shown = {"required": f"{name}@K", "optional": f"{name}, {name}@k"}.get(base.cut, name)
        table.add_row(f"{name}k" if name.endswith("-") else shown, base.meaning, base.source)
    table.add_row("M>=t", "share of questions whose M is at least t, as in R>=0.8", "QAMPARI §4.2")
    table.add_row("min(M)", "worst case of M in a cluster, averaged over clusters", "RoMQA §3.1")
    console.print(table)
    table = Table("profile", "how it matches", title="Profiles", title_justify="left")
    for profile in PROFILES.values():
        shown = " ".join(map(str, profile.measures(closed=False, clustered=False)))
        about = styled(
            f"{profile.summary}\n", (f"source: {profile.source}\ndefault measures: {shown}", "dim")
        )
        table.add_row(profile.name, about, end_section=True)
    console.print(table)
