"""Drawing the objects of relations: popular ones more often, near ones first, only those of the right time.

Subjects of one circle draw from a small common pool, so that sets intersect: the films of a circle share
directors, producers and actors. A draw that does not fit in place or time is repeated, then left out.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall.world._chance import Numbers, Words, key, shares, skewed, word, words
from rollcall.world._skeleton import NONE, NOW, Column, Skeleton, Years, circles
from rollcall.world._vocabulary import (
    CONCEPT_NUMBERS,
    GROUPS,
    KIND,
    PROFESSIONS,
    SECTORS,
    EntityKind,
    Relation,
    relation_of,
)

_ATTEMPTS = 14
_POOLED_ATTEMPTS = 6
_PROFESSION_NAMES = [profession.name for profession in PROFESSIONS]


class Locals(msgspec.Struct, frozen=True):
    """The members of a kind (or profession) sorted by country, so that those of one country can be drawn."""

    order: Column
    starts: Numbers


class Drawing:
    """Draws the columns of one world."""

    def __init__(self, skeleton: Skeleton, country: Column, home: Column, year: Years, end: Years):
        self.skeleton, self.census = skeleton, skeleton.census
        self.country, self.home, self.year, self.end = country, home, year, end
        self._locals: dict[str, Locals] = {}

    def numbers(self, kind: str) -> Numbers:
        members = self.census.range[kind]
        return np.arange(members.start, members.stop, dtype=np.int64)

    def eligible(self, relation: Relation, kind: EntityKind) -> NDArray[np.bool_]:
        """Which members of a kind have the relation."""
        numbers = self.numbers(kind.name)
        having = shares(key(self.census.seed, f"has {relation.key}"), numbers) < relation.chance
        if relation.ended:
            having &= self.end[numbers] != NONE
        if relation.professions and kind.name == "human":
            ranks = self.census.ranks.forth_all(numbers - self.census.people.start)
            fits = np.zeros(len(numbers), np.bool_)
            for name in relation.professions:
                bounds = self.census.profession_ranks((name,))
                fits |= (ranks >= bounds.start) & (ranks < bounds.stop)
            having &= fits
        return having

    def draw(self, relation: Relation, kind: EntityKind) -> Column:
        """Draw up to `most` different objects for every member of a kind."""
        seed, numbers = self.census.seed, self.numbers(kind.name)
        drawn = np.full((len(numbers), relation.most), -1, np.int32)
        going = np.nonzero(self.eligible(relation, kind))[0]
        for slot in range(relation.most):
            if slot:
                more = shares(key(seed, f"more {relation.key} {slot}"), numbers[going]) < 0.6
                going = going[more & (drawn[going, slot - 1] >= 0)]
            waiting = going
            for attempt in range(_ATTEMPTS):
                if not len(waiting):
                    break
                candidates = self.attempt(relation, kind, waiting, slot, attempt)
                fits = self._fits(relation, numbers[waiting], candidates)
                for earlier in range(slot):
                    fits &= drawn[waiting, earlier] != candidates
                drawn[waiting[fits], slot] = candidates[fits]
                waiting = waiting[~fits]
        return drawn

    def attempt(
        self, relation: Relation, kind: EntityKind, index: Numbers, slot: int, attempt: int
    ) -> Numbers:
        """One candidate object for each subject, from the circle's pool or from all objects."""
        seed = self.census.seed
        numbers = index + self.census.range[kind.name].start
        own = words(key(seed, f"draw {relation.key} {slot} {attempt}"), numbers)
        if relation.pool and attempt < _POOLED_ATTEMPTS:
            draws = (own >> np.uint64(11)).astype(np.float64) / 9007199254740992.0
            member = (draws * np.sqrt(draws) * relation.pool_size).astype(np.int64)
            circle = circles(self.census, kind, index)
            bits = words(key(seed, f"pool {kind.name} {relation.pool}"), circle * 64 + member)
        else:
            bits = own
        options = relation.objects
        if relation.sector:
            anyone = self.candidates("business", numbers, bits, relation.near)
            return self._in_sector(anyone, SECTORS.index(relation.sector))
        if len(options) == 1:
            return self.candidates(options[0], numbers, bits, relation.near)
        choice = (words(key(seed, "option"), bits) % np.uint64(len(options))).astype(np.int64)
        drawn = np.zeros(len(index), np.int64)
        for number, option in enumerate(options):
            mine = choice == number
            drawn[mine] = self.candidates(option, numbers[mine], bits[mine], relation.near)
        return drawn

    def candidates(self, option: str, numbers: Numbers, bits: Words, near: bool) -> Numbers:
        draws = shares(key(self.census.seed, "rank"), bits)
        if option.startswith("*"):
            group = GROUPS[option[1:]]
            return CONCEPT_NUMBERS + skewed(draws, group.start, group.stop)
        kind, _, professions = option.partition(":")
        if professions:
            return self._people(professions.split(".."), numbers, bits, draws, near)
        members = self.census.range[kind]
        anywhere = skewed(draws, members.start, members.stop)
        if not near or not KIND[kind].home:
            return anywhere
        return self._near(self.local(kind), numbers, bits, draws, anywhere)

    def _people(
        self, professions: list[str], numbers: Numbers, bits: Words, draws: NDArray[np.float64], near: bool
    ) -> Numbers:
        first = _PROFESSION_NAMES.index(professions[0])
        last = _PROFESSION_NAMES.index(professions[-1])
        if first == last:
            return self._profession(_PROFESSION_NAMES[first], numbers, bits, draws, near)
        spread = words(key(self.census.seed, "profession"), bits)
        shifts = (spread >> np.uint64(8)) % np.uint64(last - first + 1)
        choice = np.where(spread % np.uint64(5) < 3, 0, shifts).astype(np.int64) + first
        people = np.zeros(len(numbers), np.int64)
        for which in range(first, last + 1):
            mine = choice == which
            name = _PROFESSION_NAMES[which]
            people[mine] = self._profession(name, numbers[mine], bits[mine], draws[mine], near)
        return people

    def _profession(
        self, name: str, numbers: Numbers, bits: Words, draws: NDArray[np.float64], near: bool
    ) -> Numbers:
        ranks = self.census.profession_ranks((name,))
        anyone = self.census.people.start + self.census.ranks.home_all(skewed(draws, ranks.start, ranks.stop))
        return self._near(self.local(name), numbers, bits, draws, anyone) if near else anyone

    def _near(
        self, local: Locals, numbers: Numbers, bits: Words, draws: NDArray[np.float64], anywhere: Numbers
    ) -> Numbers:
        """Candidates from the subject's own country, with probability 6/7, if there are any."""
        country = self.country[numbers].astype(np.int64) - self.census.range["country"].start
        of_country = np.maximum(country, 0)
        low, high = local.starts[of_country], local.starts[of_country + 1]
        is_near = (
            (country >= 0) & (high > low) & (words(key(self.census.seed, "near"), bits) % np.uint64(7) != 0)
        )
        rank = skewed(draws, low, np.maximum(high, low + 1))
        return np.where(is_near, local.order[np.minimum(rank, len(local.order) - 1)], anywhere)

    def local(self, name: str) -> Locals:
        """The members of a kind or profession by country, the more popular ones first."""
        if name not in self._locals:
            if name in KIND:
                members = self.numbers(name)
            else:
                ranks = self.census.profession_ranks((name,))
                order = np.arange(ranks.start, ranks.stop, dtype=np.int64)
                members = self.census.people.start + self.census.ranks.home_all(order)
            countries = self.census.range["country"]
            where = self.country[members] - countries.start
            sorting = np.argsort(where, kind="stable")
            starts = np.searchsorted(where[sorting], np.arange(len(countries) + 1))
            self._locals[name] = Locals(members[sorting].astype(np.int32), starts.astype(np.int64))
        return self._locals[name]

    def _fits(self, relation: Relation, numbers: Numbers, candidates: Numbers) -> NDArray[np.bool_]:
        """Whether each candidate can be the object of its subject: another entity that exists at the time."""
        fits: NDArray[np.bool_] = candidates != numbers
        entities = candidates < CONCEPT_NUMBERS
        if not entities.all():
            return fits
        begins = self.year[numbers].astype(np.int64)
        moment = begins + relation.after
        timed = begins != NONE
        people = (candidates >= self.census.people.start) & (candidates < self.census.people.stop)
        since = self.year[candidates].astype(np.int64)
        until = self.end[candidates].astype(np.int64)
        if relation.id == "P607":
            fits &= (since >= begins + 18) & (since <= begins + 48) & (self.last(numbers) >= since)
            return fits
        since = np.where(people, since + 21, since)
        until = np.where(
            people, np.where(until == NONE, since + 55, until), np.where(until == NONE, 9999, until)
        )
        fits &= ~timed | ((since <= moment) & (relation.id == "P138") | (since <= moment) & (moment <= until))
        if relation.id in ("P54", "P6087"):
            fits &= self.sport(candidates) == self.sport_of_players(numbers)
        return fits

    def last(self, numbers: Numbers) -> Numbers:
        last = self.end[numbers].astype(np.int64)
        return np.where(last == NONE, NOW, last)

    def _in_sector(self, businesses: Numbers, sector: int) -> Numbers:
        """For each business, the next one of the wanted sector."""
        members = self.census.range["business"]
        index = (businesses - members.start) // 6 * 6 + sector
        return members.start + np.where(index < len(members), index, sector)

    def sport(self, teams: Numbers) -> Numbers:
        """The sport of a team's league: 0 for football, 1 for basketball."""
        relation = relation_of("sports team", "P118")
        leagues = self.skeleton[f"{relation.key}.sports team"][
            teams - self.census.range["sports team"].start, 0
        ]
        return sports(self.census.seed, np.asarray(leagues, dtype=np.int64))

    def sport_of_players(self, numbers: Numbers) -> Numbers:
        ranks = self.census.ranks.forth_all(numbers - self.census.people.start)
        basketball = ranks >= self.census.profession_ranks(("basketball player",)).start
        return np.where(basketball, np.int64(1), np.int64(0))


def sports(seed: int, leagues: Numbers) -> Numbers:
    """The sport of each league: 0 for football, 1 for basketball."""
    plays = words(key(seed, "sport"), leagues.astype(np.uint64)) % np.uint64(4) == 0
    return np.where(plays, np.int64(1), np.int64(0))


# When a statement holds: the years in which a person played, taught, governed or was married.


def office_years(seed: int, numbers: Numbers, slot: int) -> tuple[Numbers, Numbers]:
    """First and last year of the present holder (slot 0) and earlier ones; 2024 means still in office."""
    start = 2017 + (words(key(seed, "office 0"), numbers) % np.uint64(6)).astype(np.int64)
    end = np.full(len(numbers), 2024, np.int64)
    for earlier in range(1, slot + 1):
        end = start
        start = start - 4 - (words(key(seed, f"office {earlier}"), numbers) % np.uint64(6)).astype(np.int64)
    return start, end


def office_years_of(seed: int, number: int, slot: int) -> tuple[int, int]:
    """`office_years` for one number."""
    start, end = 2017 + word(key(seed, "office 0"), number) % 6, 2024
    for earlier in range(1, slot + 1):
        end = start
        start = start - 4 - word(key(seed, f"office {earlier}"), number) % 6
    return start, end
