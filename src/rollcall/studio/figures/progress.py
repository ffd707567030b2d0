"""How far a project is: what is done, how fast it goes, when it will end, and what it costs.

Pace is measured over clock time since the first judgment of the last days, nights and weekends included,
because the end is a date. Cost is people's time at the project's hourly rate, also for judgments that no
longer count, since those were paid too.
"""

from datetime import UTC, datetime, timedelta

import msgspec

from rollcall.studio.records import Collected, Item
from rollcall.studio.tasks.task import QUALIFY

WINDOW = timedelta(days=7)
_LEAST_SPAN = timedelta(minutes=5)
"""Pace from a shorter time would say little."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a project is."""

    items: int
    """Items that are open to be judged or were judged; the pool does not count."""
    settled: int
    disputed: int
    judgments: int
    """Judgments that count."""
    needed: int
    """Judgments that all items need together."""
    withdrawn: int
    """Judgments that no longer count."""
    people: int
    hours: float
    per_hour: float | None
    """Judgments in an hour of the clock, by the whole team."""
    per_person_hour: float | None
    """Judgments in an hour of one person's work."""
    expected_end: str | None
    """ISO 8601, UTC; None while nothing can be said."""
    cost: float | None
    expected_cost: float | None
    currency: str

    @property
    def undecided(self) -> int:
        """Items that nobody decided, or on which people differ."""
        return self.items - self.settled

    @property
    def share(self) -> float:
        """The share of judgments that are there."""
        return min(1.0, self.judgments / self.needed) if self.needed else 1.0


def progress(collected: Collected, now: datetime | None = None) -> Progress:
    """How far a project is at a time, by default now."""
    now = now or datetime.now(UTC)
    live = [item for item in collected.items if not item.pool and item.stage != QUALIFY]
    states = [
        collected.resolutions[item.key].state if item.key in collected.resolutions else "open"
        for item in live
    ]
    work = [one for one in collected.judged if one.role == "annotator" and one.stage != QUALIFY]
    everybody = [one for one in work if not one.undone]
    counted = [one for one in everybody if one.counted]
    remaining = _remaining(collected, live)
    hours = sum(one.seconds for one in everybody) / 3600
    per_hour = _pace([one.at for one in everybody], now)
    rate = collected.hourly_rate
    each = hours / len(everybody) if everybody else None
    return Progress(
        items=len(live),
        settled=sum(state in ("accepted", "rejected") for state in states),
        disputed=states.count("disputed"),
        judgments=len(counted),
        needed=len(counted) + remaining,
        withdrawn=len(work) - len(counted),
        people=len({one.person for one in everybody}),
        hours=hours,
        per_hour=per_hour,
        per_person_hour=len(everybody) / hours if hours else None,
        expected_end=_end(now, remaining, per_hour),
        cost=hours * rate if rate else None,
        expected_cost=(hours + remaining * each) * rate if rate and each is not None else None,
        currency=collected.currency,
    )


def _remaining(collected: Collected, live: list[Item]) -> int:
    """How many judgments are still to be made; items that a manager decided need no more."""
    overlap = collected.settings.get("overlap", 1)
    usual = overlap if isinstance(overlap, int) else 1
    there: dict[str, int] = {}
    decided = set()
    for one in collected.judged:
        if one.counted:
            there[one.item] = there.get(one.item, 0) + (one.role == "annotator")
            if one.role != "annotator":
                decided.add(one.item)
    return sum(
        max(0, (item.overlap or usual) - there.get(item.key, 0))
        for item in live
        if not item.gold and item.key not in decided
    )


def _pace(times: list[str], now: datetime) -> float | None:
    recent = [at for at in (_time(one) for one in times) if now - WINDOW <= at <= now]
    if len(recent) < 2:
        return None
    return len(recent) / (max(now - min(recent), _LEAST_SPAN) / timedelta(hours=1))


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _end(now: datetime, remaining: int, per_hour: float | None) -> str | None:
    if not remaining:
        return now.isoformat(timespec="minutes")
    if not per_hour:
        return None
    try:
        return (now + timedelta(hours=remaining / per_hour)).isoformat(timespec="minutes")
    except OverflowError:
        return None
