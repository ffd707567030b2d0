"""Merges the names of all pages into entities: the same name of a fitting class is the same thing.

Across pages a full name must be the same; a family name alone is joined only on its own page. Things of
classes that do not fit are homonyms, and so are two pages whose titles differ in what stands in parentheses.
A link says who is meant by its words.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from rollcall.corpus.lists import without_parenthesis
from rollcall.extract.records import PageReading, Thing
from rollcall.text.name_forms import plain
from rollcall.text.names import whole_words
from rollcall.text.words import ARTICLES, COMMON, CONJUNCTIONS, PREPOSITIONS, fold

# Whether one name is a shorter way to write another: a family name, initials, a firm without its form. A
# short form counts on one page, where the full name says who is meant ("Venn" after "Orla Venn"). Only
# what is short in an unambiguous way counts everywhere: a firm with and without its legal
# form.

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def words_of(name: str) -> list[str]:
    """The words of a name, folded or not, without marks."""
    return _WORD.findall(name)


_SMALL = ARTICLES | CONJUNCTIONS | PREPOSITIONS
_PLACE_WORDS = frozenset(
    words_of(
        "new old north south east west northern southern eastern western upper lower great greater little "
        "saint st san santa los las fort mount lake port cape central"
    )
)
"""Words that make another name of one: New York is not York."""
_KINDS = frozenset(
    words_of(
        "county valley river lake island islands bay district province region mountains park street road "
        "bridge station airport university college school council church cathedral museum party army"
    )
)
"""Words that make another thing of a name: Albany County is not Albany."""
_LEGAL_FORMS = frozenset(
    words_of(
        "inc incorporated ltd limited llc llp plc corp corporation co company gmbh ag kg se sa sas sarl srl "
        "spa bv nv oy ab as asa aps kk pty group holding holdings"
    )
)


def is_short_for(short: str, full: str) -> bool:
    """Whether a name (folded) is a short form of a longer one, on a page that has both."""
    few, many = words_of(short), words_of(full)
    if not few or len(few) >= len(many):
        return _is_with_initials(few, many) if len(few) == len(many) else False
    if without_legal_form(full) == " ".join(few):
        return True
    if few == many[-len(few) :]:  # the last words: a family name
        return not _PLACE_WORDS & set(many[: -len(few)]) and not _SMALL & set(many)
    if few == many[: len(few)]:  # the first words: a given name, a firm
        other_kind = many[len(few)] in _SMALL or many[-1] in _KINDS
        return len(few[0]) > 2 and not other_kind and not _PLACE_WORDS & set(few)
    return is_acronym_of(short, full) or _is_with_initials(few, many)


def is_acronym_of(short: str, full: str) -> bool:
    """Whether a name (folded) is the first letters of the words of another one."""
    few, many = words_of(short), words_of(full)
    letters = "".join(word[0] for word in many if word not in _SMALL)
    return len(few) == 1 and len(few[0]) > 1 and few[0] in (letters, "".join(word[0] for word in many))


def _is_with_initials(few: list[str], many: list[str]) -> bool:
    """Whether the last words are the same, and the others stand as initials: `j smith`, `j r smith`."""
    if len(few) < 2 or few == many or few[-1] != many[-1]:
        return False
    initials, other_words = few[:-1], many[:-1]
    return (
        all(len(initial) == 1 for initial in initials)
        and any(len(word) > 1 for word in other_words)
        and [word[0] for word in other_words][: len(initials)] == initials
    )


def without_legal_form(name: str) -> str:
    """A name (folded) without the legal form of a firm at its end: `nordwerk` of `nordwerk ag`."""
    words = words_of(name)
    while len(words) > 1 and words[-1] in _LEGAL_FORMS:
        words.pop()
    return " ".join(words)


# Compares names with text: what is a name at all, and whether a text has it as whole words, in any case.

_ARTICLE = re.compile(r"^(?:the|a|an) ", re.IGNORECASE)
_OUTER = " \t\n\"'“”„‘’`()[]{},;:*"


def tidy(name: str) -> str:
    """A name without marks and blanks around it, an article in small letters, and a possessive ending."""
    core = " ".join(name.split()).strip(_OUTER)
    core = re.sub(r"^(?:the|a|an) (?=\S)", "", core)
    return re.sub(r"(?<=\w)['’]s$", "", core)


def key_of(name: str) -> str:
    """What two names share if they are the same but for case, marks and a leading article."""
    folded = fold(plain(tidy(name)))
    return _ARTICLE.sub("", folded, count=1) if len(folded.split()) > 1 else folded


def is_name(name: str) -> bool:
    """Whether a text is a name, and not a pronoun or a common word alone."""
    words = name.split()
    return (
        bool(words)
        and len(name) <= 200
        and any(sign.isalnum() for sign in name)
        and not all(word.casefold().strip(".,'’") in COMMON for word in words)
    )


def is_proper(name: str) -> bool:
    """Whether a name is written as one, with a capital or a digit."""
    return any(sign.isupper() or sign.isdigit() for sign in _ARTICLE.sub("", name, count=1))


class FoldedText:
    """A text in which names are looked up."""

    def __init__(self, text: str) -> None:
        self._text = fold(plain(text))

    def has(self, name: str) -> bool:
        """Whether the text has the name as whole words."""
        return any(whole_words(self._text, key_of(name)))

    def has_any(self, names: Iterable[str]) -> bool:
        return any(map(self.has, names))


# Puts the names of one page together: those that a page uses for the same thing are one group. Names are
# the same if they differ in case, marks or an article, if the reading says so, or if one is a short form
# of exactly one other name of a fitting class on this page. Where the page says something of the one to
# the other ("Albany is the seat of Albany County"), they are two.

Fits = Callable[[str, str], bool]
"""Whether things of two classes may be the same."""


class NameGroup:
    """The names that one page uses for one thing."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.names: Counter[str] = Counter()
        self.classes: Counter[str] = Counter()

    @property
    def class_(self) -> str:
        """The class that the page says most often, the first of equal ones."""
        return max(self.classes, key=lambda class_: self.classes[class_])

    @property
    def name(self) -> str:
        """The fullest name."""
        return max(self.names, key=lambda name: (len(key_of(name)), self.names[name], name))

    @property
    def keys(self) -> set[str]:
        return {key_of(name) for name in self.names}

    def take(self, other: "NameGroup") -> None:
        self.names += other.names
        self.classes += other.classes


class PageNames:
    """The groups of a page, and which group each name belongs to."""

    def __init__(self, page: str, readings: Iterable[PageReading], fits: Fits) -> None:
        self.page = page
        self._of_key: dict[str, NameGroup] = {}
        read = list(readings)
        for thing in (thing for reading in read for thing in reading.things):
            self._add(thing, fits)
        self._join_short_forms(fits, _told_apart(read))

    @property
    def groups(self) -> list[NameGroup]:
        """All groups, each once, in the order in which the page was read."""
        return list(dict.fromkeys(self._of_key.values()))

    def group_of(self, name: str) -> NameGroup | None:
        return self._of_key.get(key_of(name))

    def _add(self, thing: Thing, fits: Fits) -> None:
        known = self._of_key.get(key_of(thing.name))
        group = known or NameGroup(self.page)
        group.names[thing.name] += 1
        group.classes[thing.class_] += 1
        self._of_key[key_of(thing.name)] = group
        for name in thing.other_names:
            other = self._of_key.get(key_of(name))
            if other is None:
                group.names[name] += 1
                self._of_key[key_of(name)] = group
            elif other is not group and fits(other.class_, group.class_):
                self._join(group, other)

    def _join(self, kept: NameGroup, lost: NameGroup) -> None:
        kept.take(lost)
        for key, group in self._of_key.items():
            if group is lost:
                self._of_key[key] = kept

    def _join_short_forms(self, fits: Fits, apart: set[frozenset[str]]) -> None:
        for group in sorted(
            self.groups, key=lambda candidate: (-len(key_of(candidate.name)), candidate.name)
        ):
            if group not in self.groups:
                continue
            longer = [
                other
                for other in self.groups
                if other is not group
                and fits(group.class_, other.class_)
                and any(is_short_for(key_of(group.name), key) for key in other.keys)
                and not any(
                    frozenset((own_key, key)) in apart for own_key in group.keys for key in other.keys
                )
            ]
            if len(longer) == 1:
                self._join(longer[0], group)


def _told_apart(readings: Iterable[PageReading]) -> set[frozenset[str]]:
    """The pairs of names between which a page states something."""
    statements = (
        statement for reading in readings for statement in reading.statements if not statement.literal
    )
    return {frozenset((key_of(statement.subject), key_of(statement.object))) for statement in statements}


class MergedEntity(NamedTuple):
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


class MergedEntities:
    """The entities, and who is meant by a name on a page."""

    def __init__(
        self, entities: Sequence[MergedEntity], of_group: Mapping[int, str], names: Mapping[str, PageNames]
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
            names = self._on_page[page] = {}
            for group in self._names[page].groups if page in self._names else ():
                names.setdefault(self._of_group[id(group)], []).extend(sorted(group.names))
        return self._on_page[page]

    def topics(self) -> dict[str, str]:
        """The entity that each page is about."""
        return {page: entity.id for entity in self.entities for page in entity.pages}


def merge(readings: Iterable[PageReading], pages: Mapping[str, PageFacts], fits: Fits) -> MergedEntities:
    """The entities of all readings."""
    of_page: dict[str, list[PageReading]] = defaultdict(list)
    for reading in readings:
        of_page[reading.page].append(reading)
    names = {page: PageNames(page, page_readings, fits) for page, page_readings in of_page.items()}
    topics = {
        page: topic
        for page, page_readings in of_page.items()
        if (topic := _topic(names[page], pages[page].title, page_readings))
    }
    joined = _JoinedGroups([group for page in names for group in names[page].groups])
    _join_links(joined, names, pages, topics, fits)
    _join_names(joined, names, pages, topics, fits)
    _join_other_names(joined, fits)
    entities, of_group = _entities(joined, topics, pages)
    return MergedEntities(entities, of_group, names)


def _topic(names: PageNames, title: str, readings: Sequence[PageReading]) -> NameGroup | None:
    """What a page is about: what its title names, or what the reading says."""
    by_title = names.group_of(title) or names.group_of(without_parenthesis(title))
    by_reading = next((reading.topic for reading in readings if reading.topic), "")
    return by_title or (names.group_of(by_reading) if by_reading else None)


class _JoinedGroups:
    """Groups that are joined step by step."""

    def __init__(self, groups: Sequence[NameGroup]) -> None:
        self.groups = groups
        self._above = list(range(len(groups)))
        self._index = {id(group): index for index, group in enumerate(groups)}

    def root(self, group: NameGroup) -> int:
        index = self._index[id(group)]
        while self._above[index] != index:
            self._above[index] = self._above[self._above[index]]
            index = self._above[index]
        return index

    def join(self, left: NameGroup, right: NameGroup) -> None:
        first, second = sorted((self.root(left), self.root(right)))
        self._above[second] = first

    def sets(self) -> list[list[NameGroup]]:
        by_root: dict[int, list[NameGroup]] = defaultdict(list)
        for group in self.groups:
            by_root[self.root(group)].append(group)
        return list(by_root.values())


def _join_links(
    joined: _JoinedGroups,
    names: Mapping[str, PageNames],
    pages: Mapping[str, PageFacts],
    topics: Mapping[str, NameGroup],
    fits: Fits,
) -> None:
    by_title = {pages[page].title: topic for page, topic in topics.items()}
    for page, page_names in names.items():
        for anchor, target in pages[page].links:
            group, topic = page_names.group_of(anchor), by_title.get(target)
            if group is not None and topic is not None and fits(group.class_, topic.class_):
                joined.join(group, topic)


def _join_names(
    joined: _JoinedGroups,
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
    for page, page_names in names.items():
        for group in page_names.groups:
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
    by_class: dict[str, list[NameGroup]] = defaultdict(list)
    for group in groups:
        by_class[group.class_].append(group)
    for class_ in list(by_class):
        fitting = [other for other in by_class if other != class_ and fits(class_, other)]
        if len(fitting) == 1:
            by_class[fitting[0]] += by_class.pop(class_)
    return by_class


def _join_other_names(joined: _JoinedGroups, fits: Fits) -> None:
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
    joined: _JoinedGroups, topics: Mapping[str, NameGroup], pages: Mapping[str, PageFacts]
) -> tuple[list[MergedEntity], dict[int, str]]:
    about: dict[int, list[str]] = defaultdict(list)
    for page, topic in topics.items():
        about[joined.root(topic)].append(page)
    taken: set[str] = set()
    entities: list[MergedEntity] = []
    of_group: dict[int, str] = {}
    sets = joined.sets()
    for members in sorted(
        sets, key=lambda groups: (not about[joined.root(groups[0])], _label(groups, about, joined, pages))
    ):
        own = sorted(about[joined.root(members[0])])
        label = _label(members, about, joined, pages)
        classes: Counter[str] = Counter()
        names: Counter[str] = Counter()
        for group in members:
            classes[group.class_] += 1
            names += group.names
        class_ = min(classes, key=lambda name: (-classes[name], name))
        title = (
            pages[own[0]].title
            if own and key_of(without_parenthesis(pages[own[0]].title)) == key_of(label)
            else label
        )
        id_ = _free((title, label, f"{label} ({class_})"), taken)
        taken.add(id_)
        aliases = sorted(name for name in names if name != label)
        entities.append(MergedEntity(id_, label, (class_,), tuple(aliases), tuple(own)))
        of_group |= {id(group): id_ for group in members}
    return entities, of_group


def _label(
    members: Sequence[NameGroup],
    about: Mapping[int, Sequence[str]],
    joined: _JoinedGroups,
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
