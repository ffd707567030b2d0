"""Merges the names of all pages into entities: the same name of a fitting class is the same thing.

Across pages a full name must be the same; a family name alone is joined only on its own page. Things of
classes that do not fit are homonyms, and so are two pages whose titles differ in what stands in parentheses.
A link says who is meant by its words.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rollcall.corpus.titles import without_parenthesis
from rollcall.extract.page_names import Fits, NameGroup, PageNames
from rollcall.extract.records import PageReading
from rollcall.extract.short_forms import is_acronym_of, is_short_for, without_legal_form
from rollcall.extract.wordings import key_of


class Entity(NamedTuple):
    """A thing with all its names; `pages` are those that are about it."""

    id: str
    label: str
    classes: tuple[str, ...]
    aliases: tuple[str, ...]
    pages: tuple[str, ...]


class PageFacts(NamedTuple):
    """What merging needs to know of a page besides what was read: its title, and where its links lead."""

    title: str
    links: tuple[tuple[str, str], ...] = ()
    """The words of each link, and the title that it leads to."""


class Merged:
    """The entities, and who is meant by a name on a page."""

    def __init__(
        self, entities: Sequence[Entity], of_group: Mapping[int, str], names: Mapping[str, PageNames]
    ):
        self.entities = tuple(entities)
        self.by_id = {entity.id: entity for entity in self.entities}
        self._of_group, self._names = of_group, names
        self._on_page: dict[str, dict[str, list[str]]] = {}

    def entity_of(self, page: str, name: str) -> str | None:
        """The entity that a page means by a name."""
        group = self._names[page].group_of(name)
        return None if group is None else self._of_group[id(group)]

    def names_on(self, page: str) -> dict[str, list[str]]:
        """The names that a page uses for each entity."""
        if page not in self._on_page:
            found = self._on_page[page] = {}
            for group in self._names[page].groups if page in self._names else ():
                found.setdefault(self._of_group[id(group)], []).extend(sorted(group.names))
        return self._on_page[page]

    def topics(self) -> dict[str, str]:
        """The entity that each page is about."""
        return {page: entity.id for entity in self.entities for page in entity.pages}


def merge(readings: Iterable[PageReading], pages: Mapping[str, PageFacts], fits: Fits) -> Merged:
    """The entities of all readings."""
    of_page: dict[str, list[PageReading]] = defaultdict(list)
    for reading in readings:
        of_page[reading.page].append(reading)
    names = {page: PageNames(page, found, fits) for page, found in of_page.items()}
    topics = {
        page: topic
        for page, found in of_page.items()
        if (topic := _topic(names[page], pages[page].title, found))
    }
    joined = _Joined([group for page in names for group in names[page].groups])
    _join_links(joined, names, pages, topics, fits)
    _join_names(joined, names, pages, topics, fits)
    _join_other_names(joined, fits)
    entities, of_group = _entities(joined, topics, pages)
    return Merged(entities, of_group, names)


def _topic(names: PageNames, title: str, readings: Sequence[PageReading]) -> NameGroup | None:
    """What a page is about: what its title names, or what the reading says."""
    by_title = names.group_of(title) or names.group_of(without_parenthesis(title))
    said = next((reading.topic for reading in readings if reading.topic), "")
    return by_title or (names.group_of(said) if said else None)


class _Joined:
    """Groups that are joined step by step."""

    def __init__(self, groups: Sequence[NameGroup]) -> None:
        self.groups = groups
        self._above = list(range(len(groups)))
        self._place = {id(group): place for place, group in enumerate(groups)}

    def root(self, group: NameGroup) -> int:
        place = self._place[id(group)]
        while self._above[place] != place:
            self._above[place] = self._above[self._above[place]]
            place = self._above[place]
        return place

    def join(self, one: NameGroup, other: NameGroup) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        self._above[second] = first

    def sets(self) -> list[list[NameGroup]]:
        found: dict[int, list[NameGroup]] = defaultdict(list)
        for group in self.groups:
            found[self.root(group)].append(group)
        return list(found.values())


def _join_links(
    joined: _Joined,
    names: Mapping[str, PageNames],
    pages: Mapping[str, PageFacts],
    topics: Mapping[str, NameGroup],
    fits: Fits,
) -> None:
    by_title = {pages[page].title: topic for page, topic in topics.items()}
    for page, found in names.items():
        for anchor, target in pages[page].links:
            group, topic = found.group_of(anchor), by_title.get(target)
            if group is not None and topic is not None and fits(group.class_, topic.class_):
                joined.join(group, topic)


def _join_names(
    joined: _Joined,
    names: Mapping[str, PageNames],
    pages: Mapping[str, PageFacts],
    topics: Mapping[str, NameGroup],
    fits: Fits,
) -> None:
    """Join what has the same full name and a fitting class, but for what titles tell apart."""
    titles: dict[str, set[str]] = defaultdict(set)
    for page, topic in topics.items():
        if key_of(without_parenthesis(pages[page].title)) in topic.keys:
            titles[key_of(without_parenthesis(pages[page].title))].add(pages[page].title)
    alike: dict[str, list[NameGroup]] = defaultdict(list)
    for page, found in names.items():
        for group in found.groups:
            key = without_legal_form(key_of(group.name))
            told_apart = (
                topics.get(page) is group and len(titles[key_of(without_parenthesis(pages[page].title))]) > 1
            )
            alike[f"{key}\n{pages[page].title}" if told_apart else key].append(group)
    for groups in alike.values():
        for members in _by_class(groups, fits).values():
            for group in members[1:]:
                joined.join(members[0], group)


def _by_class(groups: Sequence[NameGroup], fits: Fits) -> dict[str, list[NameGroup]]:
    """Groups of one name by class; a class that fits exactly one other joins that."""
    found: dict[str, list[NameGroup]] = defaultdict(list)
    for group in groups:
        found[group.class_].append(group)
    for class_ in list(found):
        fitting = [other for other in found if other != class_ and fits(class_, other)]
        if len(fitting) == 1:
            found[fitting[0]] += found.pop(class_)
    return found


def _join_other_names(joined: _Joined, fits: Fits) -> None:
    """Join what a page calls only by a name that is another name of exactly one thing elsewhere.

    A short form that may stand for many, such as a family name, does not count.
    """
    owners: dict[str, set[int]] = defaultdict(set)
    for members in joined.sets():
        for group in members:
            full = key_of(group.name)
            for key in group.keys - {full}:
                if not is_short_for(key, full) or is_acronym_of(key, full):
                    owners[key].add(joined.root(group))
    for members in joined.sets():
        key = key_of(members[0].name)
        others = owners.get(key, set()) - {joined.root(members[0])}
        if len(others) == 1 and all(key_of(group.name) == key for group in members):
            owner = joined.groups[next(iter(others))]
            if fits(members[0].class_, owner.class_):
                joined.join(owner, members[0])


def _entities(
    joined: _Joined, topics: Mapping[str, NameGroup], pages: Mapping[str, PageFacts]
) -> tuple[list[Entity], dict[int, str]]:
    about: dict[int, list[str]] = defaultdict(list)
    for page, topic in topics.items():
        about[joined.root(topic)].append(page)
    taken: set[str] = set()
    entities: list[Entity] = []
    of_group: dict[int, str] = {}
    sets = joined.sets()
    for members in sorted(
        sets, key=lambda one: (not about[joined.root(one[0])], _label(one, about, joined, pages))
    ):
        own = sorted(about[joined.root(members[0])])
        label = _label(members, about, joined, pages)
        classes: Counter[str] = Counter()
        names: Counter[str] = Counter()
        for group in members:
            classes[group.class_] += 1
            names += group.names
        class_ = min(classes, key=lambda one: (-classes[one], one))
        title = (
            pages[own[0]].title
            if own and key_of(without_parenthesis(pages[own[0]].title)) == key_of(label)
            else label
        )
        id_ = _free((title, label, f"{label} ({class_})"), taken)
        taken.add(id_)
        aliases = sorted(name for name in names if name != label)
        entities.append(Entity(id_, label, (class_,), tuple(aliases), tuple(own)))
        of_group |= {id(group): id_ for group in members}
    return entities, of_group


def _label(
    members: Sequence[NameGroup],
    about: Mapping[int, Sequence[str]],
    joined: _Joined,
    pages: Mapping[str, PageFacts],
) -> str:
    """The name that most pages give in full; for what a page is about, as its title writes it."""
    own = sorted(about[joined.root(members[0])])
    titles = {without_parenthesis(pages[page].title) for page in own}
    named = Counter(group.name for group in members)
    keys = {key for group in members for key in group.keys}
    for title in sorted(titles):
        if key_of(title) in keys:
            return title
    return min(named, key=lambda name: (-named[name], -len(name), name))


def _free(wanted: Sequence[str], taken: set[str]) -> str:
    for id_ in wanted:
        if id_ not in taken:
            return id_
    number = 2
    while f"{wanted[-1]} {number}" in taken:
        number += 1
    return f"{wanted[-1]} {number}"
