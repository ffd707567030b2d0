"""The message of a build that has no question left: what each filter removed, and which key to change."""

from collections.abc import Mapping

from rollcall.build.stage import Outcome


def no_questions(outcomes: Mapping[str, Outcome]) -> str:
    """One line: what every stage removed, the largest number first, each with its key of the recipe."""
    found = []
    for stage, outcome in outcomes.items():
        for why, count in sorted(outcome.removed.items(), key=lambda item: -item[1])[:3]:
            if count:
                change = outcome.change.get(why, "")
                found.append(f"{stage} removed {count:,} ({why}{f': {change}' if change else ''})")
    removed = "; ".join(found) or "no query was mined: does the graph have facts of the recipe's relations?"
    return f"no question is left: {removed}. Change a key with --set, such as --set answers.least=3"
