"""The names of the ends of facts: those of the graph, of the corpus, and those that count for one relation.

Input: facts, and the tables of a graph and a corpus. Output: the table `names`. Entities that are not an
end of a fact but share a name with one are included, because text may mean them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ibis
from ibis import _

from rollcall.corpus.lists import parse_column
from rollcall.evidence.names.common_nouns import CAPITALISED, CommonNouns, keep_common_nouns
from rollcall.evidence.names.matcher import (
    BETWEEN,
    WORD,
    Form,
    NameMatcher,
    Place,
    clean,
    known_forms,
    word_forms,
    words,
)
from rollcall.tables.build import NamedEnds, PageTopics, ProvableFacts, RelationNames
from rollcall.tables.corpus import Pages, Sentences, TextAliases, Ties
from rollcall.tables.engine import Query, Workbench
from rollcall.tables.graph import Aliases, Entities, Relations
from rollcall.tables.table import DeclaredTable, Rows, String, arrow, shaped, unbound
from rollcall.text.nouns import counted, demonyms, is_plural, practitioners
from rollcall.text.words import PRONOUNS
from rollcall.wording.labels import words_of_label

if TYPE_CHECKING:
    import ibis.expr.types as ir


# Further names that the objects of one relation have, by what the relation is. Input: the facts, the
# names of their ends, and the labels of their relations (the headings, for columns of lists). Output:
# the table `relation_forms`. These names do not count for other relations. - Positions, sports and
# genres are common nouns, but tables and titles capitalise them. The page about a thing shows whether it
# is one (`common_nouns`). If most objects of a relation are, text may write the others in lower case,
# too: "plays as a forward". - The noun of a relation may be part of its objects' names: the party
# Liberal is the Liberal Party, and the region Norrow is the Norrow Region.

_LEAST = 2
_SHARE = 0.5
"""How many objects of a relation, and which share, must be common nouns."""
_NOUN = re.compile(r"(?:^|[\s_/-])([a-z]{4,})$")
_OTHER_NAMES = frozenset({"state"})
"""With these nouns a name means something else: Kansas State is a university."""
_TEXT = r'^"([^"]+)"'
_SHORT_NAME = r"^[A-Z][^\s,()0-9]*( [^\s,()0-9]+){0,2}\z"


class RelationLabels(DeclaredTable):
    """A relation of the facts, with the words for it."""

    relation = String("the relation")
    label = String("its label, or the heading of a column, in words and in lower case")
    noun = String("the noun at the end of the label, with a capital; empty if there is none")


class Objects(DeclaredTable):
    """An entity that a relation of the facts leads to."""

    relation = RelationLabels.relation
    entity = String("the entity")


class TextObjects(DeclaredTable):
    """A text that a relation of the facts leads to."""

    relation = RelationLabels.relation
    entity = String("the text as a value, in quotation marks")
    name = String("the text")


class RelationForms(RelationNames, name="relation_forms"):
    """Words that name the objects of a relation because of what the relation is."""


def keep_relation_labels(bench: Workbench, facts: Query) -> None:
    """Keep `relation_labels`, `objects` and `text_objects` of the relations of the facts."""
    bench.keep(Objects, lambda: _objects(facts()))
    bench.keep(TextObjects, lambda: _text_objects(facts()))
    label_columns: dict[str, list[str]] = {"relation": [], "label": [], "noun": []}
    for row in bench.records(_labelled):
        column = parse_column(row["relation"])
        label = words_of_label(column.header if column else row["label"]).lower()
        label_columns["relation"].append(row["relation"])
        label_columns["label"].append(label)
        label_columns["noun"].append(_noun(label))
    bench.give(RelationLabels, arrow(RelationLabels, label_columns))


def keep_relation_forms(bench: Workbench, names: Query) -> None:
    """Keep `relation_forms`, by the names of the ends."""
    bench.keep(RelationForms, lambda: ibis.union(_common(names()), _with_nouns(names()), distinct=True))


def _named_objects(names: ibis.Table) -> ibis.Table:
    """The objects with their names, the words of cells among them."""
    of_cells = unbound(RelationNames).rename(text="words")
    of_cells = of_cells.semi_join(unbound(Objects), ["relation", "entity"])
    of_all = unbound(Objects).join(names, "entity").select("relation", "entity", "text")
    return of_all.union(of_cells.select("relation", "entity", "text"), distinct=True)


def _objects(facts: Rows[DeclaredTable]) -> Rows[Objects]:
    return shaped(Objects, facts.filter(~_.literal).select("relation", entity="object").distinct())


def _text_objects(facts: Rows[DeclaredTable]) -> Rows[TextObjects]:
    texts = facts.filter(_.literal, _.object.startswith('"')).select("relation", entity="object").distinct()
    return shaped(TextObjects, texts.mutate(name=texts.entity.re_extract(_TEXT, 1)))


def _labelled() -> ibis.Table:
    labels = unbound(Relations, "graph_relations").select(relation="id", label="label")
    objects, texts = unbound(Objects).select("relation"), unbound(TextObjects).select("relation")
    rows = objects.union(texts, distinct=True).left_join(labels, "relation")
    return rows.select("relation", label=ibis.coalesce(_.label, _.relation)).order_by("relation")


def _noun(label: str) -> str:
    match = _NOUN.search(label)
    if match is None or match[1] in _OTHER_NAMES or is_plural(match[1]):
        return ""
    return match[1].capitalize()


def _common(names: ibis.Table) -> Rows[RelationForms]:
    """The names of the objects of relations to common nouns, in lower case."""
    lower_case = names.filter(_.text == _.text.lower(), _.text.re_search(r"^[a-z]{3}")).select("entity")
    nouns = ibis.union(lower_case, unbound(CommonNouns).select("entity"), distinct=True)
    objects = unbound(Objects)
    totals = objects.group_by("relation").agg(total=_.count())
    common = objects.semi_join(nouns, "entity").group_by("relation").agg(known=_.count())
    relations = totals.join(common, "relation").filter(_.known >= _LEAST, _.known >= _.total * _SHARE)
    object_names = (
        _named_objects(names).semi_join(relations, "relation").filter(_.text.re_search(CAPITALISED))
    )
    return shaped(RelationForms, object_names.select("relation", "entity", words=_.text.lower()).distinct())


def _with_nouns(names: ibis.Table) -> Rows[RelationForms]:
    """The names of objects, followed by the noun of the relation."""
    nouns = unbound(RelationLabels).filter(_.noun != "").select("relation", "noun")
    object_names = _named_objects(names).filter(_.text.re_search(_SHORT_NAME)).join(nouns, "relation")
    object_names = object_names.filter(~_.text.contains(_.noun))
    return shaped(
        RelationForms, object_names.select("relation", "entity", words=_.text + " " + _.noun).distinct()
    )


# Words derived from a name, by which text names the object of a relation. - What belongs to a land goes
# by its adjective: a citizen of France "is a French painter". The word states belonging (nationality,
# citizenship, country of origin), not a place: a French painter need not have been born in France. - Who
# does a thing goes by the noun for such people: a page says of a person's sport, fencing, that she "is a
# fencer". So such words count only for relations whose label says so. The object may be an entity or a
# text.


class Derivations(DeclaredTable):
    """The words derived from a name."""

    kind = String("what the words say: `belonging` or `doing`")
    name = String("the name")
    words = String("the words, with a separator between them")


class DerivedNames(RelationNames, name="derived_names"):
    """Derived words that name the object of a relation."""


_BELONGING = r"\b(nation|nationality|nationalities|citizenship|country|countries|origin)\b"
_PLACE = r"\b(birth|born|death|died|burial|residence|location|located|host|hosts|venue|filming|visited)\b"
_DOING = r"\b(sports?|disciplines?|instruments?|fields?|occupations?|professions?)\b"
_BRACKETS = r" \([^()]*\)$"


def words_derived(label: str, names: Iterable[str]) -> list[str]:
    """The words derived from the names of an object, by the label of the relation."""
    belongs = re.search(_BELONGING, label) and not re.search(_PLACE, label)
    does = re.search(_DOING, label)
    derived: list[str] = []
    for name in names:
        derived += demonyms().get(name, ()) if belongs else ()
        derived += practitioners().get(re.sub(_BRACKETS, "", name.lower()), ()) if does else ()
    return derived


def keep_derived_names(bench: Workbench) -> None:
    """Keep `derived_names` of the objects that the facts have."""
    rows: list[tuple[str, str, str]] = []
    for name, adjectives in sorted(demonyms().items()):
        rows.append(("belonging", name, BETWEEN.join(adjectives)))
    for activity, doers in practitioners().items():
        rows.append(("doing", activity, BETWEEN.join(doers)))
    kinds, names, joined = map(list, zip(*rows, strict=True))
    bench.give(Derivations, arrow(Derivations, {"kind": kinds, "name": names, "words": joined}))
    bench.keep(DerivedNames, _derived_names)


def _derived_names() -> Rows[DerivedNames]:
    entities = unbound(Entities, "graph_entities")
    entity_names = entities.select(entity="id", name=ibis.coalesce(entities.label, entities.id))
    entity_objects = unbound(Objects).join(entity_names, "entity").select("relation", "entity", "name")
    texts = unbound(TextObjects).select("relation", "entity", "name")
    labelled = entity_objects.union(texts).join(unbound(RelationLabels), "relation")
    belongs = labelled.label.re_search(_BELONGING) & ~labelled.label.re_search(_PLACE)
    does = labelled.label.re_search(_DOING)
    activity = labelled.name.lower().re_replace(_BRACKETS, "")
    kinds = ibis.union(
        labelled.filter(belongs).select("relation", "entity", "name", kind=ibis.literal("belonging")),
        labelled.filter(does).select("relation", "entity", name=activity, kind=ibis.literal("doing")),
    )
    derived = kinds.join(unbound(Derivations), ["kind", "name"])
    return shaped(DerivedNames, derived.select("relation", "entity", "words").distinct())


class EveryName(DeclaredTable):
    """A name of an entity that a fact has at either end."""

    entity = String("the entity's id")
    text = String("the name")


class JoinedNames(DeclaredTable, name="names"):
    """All names of an entity."""

    entity = String("the entity's id")
    names = PageTopics.names
    label = PageTopics.label


def name_inputs(
    bench: Workbench, graph: Path, corpus: Path, facts: Path, further_names: Path | None = None
) -> None:
    """Register the tables that these queries read; `further_names` is a file of `RelationNames`."""
    bench.read(RelationNames, [] if further_names is None else further_names)
    bench.read(ProvableFacts, facts)
    bench.read_folder("graph", graph, Entities, Aliases, Relations)
    bench.read_folder("corpus", corpus, TextAliases, Ties, Pages, Sentences)


def keep_names(bench: Workbench) -> None:
    """Keep the facts, each once, and the names of their ends."""
    bench.keep(ProvableFacts, distinct_facts, "sought")
    bench.keep(EveryName, every_name)
    keep_common_nouns(bench, every_name_kept)
    keep_relation_labels(bench, sought)
    keep_relation_forms(bench, every_name_kept)
    keep_derived_names(bench)
    bench.keep(JoinedNames, names)


class SharedNames(NamedTuple):
    """Names that several ends of facts have."""

    names: int = 0
    example: str = ""
    """One of them, with two who have it."""

    def __str__(self) -> str:
        if not self.names:
            return ""
        has = "has" if self.names == 1 else "have"
        return f"{counted(self.names, 'name')} {has} several bearers ({self.example})"


def shared_names(bench: Workbench) -> SharedNames:
    """How many names several ends share; the names must be kept."""
    (row,) = bench.records(lambda: _shared().agg(count=_.count(), least=_.text.min()))
    if not row["count"]:
        return SharedNames()
    (example,) = bench.records(lambda: _shared().filter(_.text == row["least"]))
    first, second = (example[name] for name in ("first", "last"))
    labels = {
        str(label["entity"]): str(label["label"])
        for label in bench.records(
            lambda: unbound(JoinedNames).filter(_.entity.isin([first, second])).select("entity", "label")
        )
    }
    return SharedNames(row["count"], f"{example['text']}: {labels[first]}, {labels[second]}")


def _shared() -> "ir.Table":
    """The names of several ends, each with two of these."""
    rows = every_name_kept().select("entity", "text").distinct()
    bearers = rows.group_by("text").agg(count=_.count(), first=_.entity.min(), last=_.entity.max())
    return bearers.filter(_["count"] > 1).select("text", "first", "last")


def distinct_facts() -> Rows[ProvableFacts]:
    """The facts to find evidence for, each once."""
    return shaped(ProvableFacts, unbound(ProvableFacts).distinct())


def sought() -> Rows[ProvableFacts]:
    """The facts to find evidence for, once they are kept."""
    return unbound(ProvableFacts, "sought")


def ends() -> "ir.Table":
    """The entities in the facts, at either end."""
    rows = sought()
    subjects = rows.select(entity="subject")
    return subjects.union(rows.filter(~_.literal).select(entity="object"), distinct=True)


def _entities() -> Rows[Entities]:
    return unbound(Entities, "graph_entities")


def _all_names() -> "ir.Table":
    """The names of every entity: its label, its aliases in the graph, and its aliases in the corpus."""
    entities = _entities()
    return ibis.union(
        entities.filter(_.label.notnull()).select(entity="id", text="label"),
        entities.filter(_.label.isnull()).select(entity="id", text="id"),
        unbound(Aliases, "graph_aliases").select("entity", "text"),
        unbound(TextAliases, "corpus_aliases").select("entity", "text"),
        distinct=True,
    )


def every_name() -> Rows[EveryName]:
    """The names of every end."""
    return shaped(EveryName, _all_names().semi_join(ends(), "entity"))


def every_name_kept() -> Rows[EveryName]:
    """The names of every end, once they are kept."""
    return unbound(EveryName)


def names() -> Rows[JoinedNames]:
    """The names of every end, joined, and its label; common nouns in lower case are included."""
    all_names = ibis.union(every_name_kept(), unbound(CommonNouns), distinct=True)
    collected = all_names.group_by("entity").agg(names=_joined(all_names.text))
    labelled = _entities().select(entity="id", label=ibis.coalesce(_.label, _.id))
    joined = collected.left_join(labelled, "entity")
    return shaped(JoinedNames, joined.select("entity", "names", label=ibis.coalesce(_.label, _.entity)))


def _joined(words: "ir.StringValue") -> "ir.StringValue":
    """Words in order, with a separator between them; not all engines concatenate in an order."""
    return words.collect().sort().join(BETWEEN)


def names_of_relations() -> "ir.Table":
    """The words that name the objects of one relation only, joined."""
    all_words = ibis.union(
        unbound(RelationNames), unbound(DerivedNames), unbound(RelationForms), distinct=True
    )
    return all_words.group_by("relation", "entity").agg(words=_joined(all_words.words))


def named_ends() -> Rows[NamedEnds]:
    """All ends of facts with their names, and the other entities that share a name with one of them."""
    rows, anywhere = sought(), ibis.literal("")
    of_ends = unbound(JoinedNames).select(
        "names", end="entity", literal=ibis.literal(False), relation=anywhere
    )
    own_names = every_name_kept().select(small=_.text.lower()).distinct()
    alike = (
        _all_names().anti_join(ends(), "entity").mutate(small=_.text.lower()).semi_join(own_names, "small")
    )
    namesakes = alike.group_by("entity").agg(names=_joined(alike.text))
    of_others = namesakes.select("names", end="entity", literal=ibis.literal(False), relation=anywhere)
    objects = rows.filter(~_.literal).select("relation", entity="object").distinct()
    of_relations = names_of_relations().semi_join(objects, ["relation", "entity"])
    of_relations = of_relations.select("relation", end="entity", literal=ibis.literal(False), names="words")
    values = rows.filter(_.literal).select(end="object").distinct()
    of_values = values.mutate(literal=ibis.literal(True), relation=anywhere, names=anywhere)
    parts = (of_ends, of_others, of_relations, of_values)
    return shaped(NamedEnds, ibis.union(*(shaped(NamedEnds, part) for part in parts)))


# Where a page names its topic: by a full name, by a part of it, by a pronoun, or not at all. All
# sentences of a page are about its topic, so a part of its name is enough ("Honsaki died in 1994").
# These places are used only to mask the name, and to see whether it is before or after the other end.

PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(PRONOUNS | {word.title() for word in PRONOUNS}))})\b")
_IN_A_PLACE = re.compile(r"\b(?:in|at|near|from|around|outside) $")
_THE_NOUN = re.compile(r"[Tt]he ([a-z]+)\b")
_SMALL = frozenset(
    words("the of and for from with upon under over into near saint von van der den des del las los")
)


class TopicOnPage:
    """The names of a page's topic in its text, which is the text of the `NameMatcher`.

    `names` are all names including the label, joined by `forms.BETWEEN`; empty if there is only the label.
    """

    def __init__(self, label: str, names: str, text: str, starts: Sequence[int] = (0,)) -> None:
        self._label, self._names, self._text, self._starts = label, names, text, starts

    @cached_property
    def _full(self) -> list[Place]:
        """The places of full names."""
        return [(start, end) for start, end, _keys in self._matcher(known_forms(self._names_or_label)).find()]

    @cached_property
    def _parts(self) -> NameMatcher:
        """Finds the significant words of the label."""
        return self._matcher(_part_forms(self._label))

    @cached_property
    def _own(self) -> tuple[set[str], str]:
        return _own_names(self._label, self._names_or_label)

    @property
    def _names_or_label(self) -> str:
        return self._names or self._label

    def _matcher(self, forms: Iterable[Form]) -> NameMatcher:
        matcher = NameMatcher(self._text, self._starts)
        matcher.add(forms, 0)
        return matcher

    def owns(self, start: int, end: int) -> bool:
        """Whether the text here means the topic: its name, its family name, or a part of its name."""
        (own_names, family_name), name = self._own, self._text[start:end]
        if name in own_names or (name == family_name and not _is_in_place(self._text, start)):
            return True
        index = bisect_right(self._full, (start, len(self._text))) - 1
        return index >= 0 and end <= self._full[index][1]

    def places(self, start: int, end: int, links: Sequence[Place] = ()) -> list[Place]:
        """Where the sentence between two places names the topic; places of its links do not count."""
        first = bisect_left(self._full, (start, 0))
        places = self._full[first : bisect_left(self._full, (end, 0), first)]
        if not places:
            places = [mention[:2] for mention in self._parts.find(start, end)]
        if places and links:
            places = [
                place for place in places if not any(place[0] < to and at < place[1] for at, to in links)
            ]
        if not places and (match := PRONOUN.search(self._text, start, end)):
            places = [match.span()]
        if not places and (match := _THE_NOUN.match(self._text, start, end)):
            places = [match.span()]
        return places


def _part_forms(label: str) -> list[Form]:
    """The forms of the significant words of a topic's label, each once."""
    parts = [word_forms(word) for word in WORD.findall(clean(label)) if _is_significant(word)]
    return list(dict.fromkeys(chain.from_iterable(parts)))


def _own_names(label: str, names: str) -> tuple[set[str], str]:
    """All names of the topic, and the family name among them, if its label has one."""
    cleaned = clean(label)
    label_words = cleaned.split()
    # For Bredd Tirynach, but not for the Battle of Tirynach, nor for Gloucester, Massachusetts.
    has_family_name = (
        len(label_words) > 1 and "," not in cleaned and all(word[0].isupper() for word in label_words)
    )
    return {cleaned, *map(clean, names.split(BETWEEN))}, label_words[-1] if has_family_name else ""


def _is_in_place(text: str, start: int) -> bool:
    """Whether the name here is that of a place: the Grand Hotel Ostrell is in Ostrell."""
    return _IN_A_PLACE.search(text[max(start - 6, 0) : start]) is not None


def _is_significant(word: str) -> bool:
    return len(word) > 3 and word[0].isupper() and word.lower() not in _SMALL
