"""The names of the ends of facts: those of the graph, of the corpus, and those that count for one relation.

- `keep_names` keeps the table `names` from what `name_inputs` registers. `named_ends` adds the entities that
  are not an end of a fact but share a name with one, because text may mean them.
- `keep_common_nouns`: names that text writes in lower case.
- `keep_relation_forms` and `keep_derived_names`: further names that count for one relation only.

`rollcall.text.names` finds these names in text.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ibis
import pyarrow as pa
from ibis import _

from rollcall.corpus.lists import parse_column
from rollcall.tables.build import NamedEnds, PageTopics, ProvableFacts, RelationNames
from rollcall.tables.corpus import Pages, Sentences, TextAliases, Ties
from rollcall.tables.engine import Query, Workbench
from rollcall.tables.graph import Aliases, Entities, Relations
from rollcall.tables.table import Boolean, DeclaredTable, Rows, String, arrow, columns, shaped, unbound
from rollcall.text.name_forms import BETWEEN
from rollcall.text.names import whole_words
from rollcall.text.nouns import (
    counted,
    demonyms,
    is_plural,
    lands_with_names,
    plural,
    practitioners,
    singular,
)
from rollcall.wording.frames import ADJECTIVES, GERUNDS, KINDS, shape_of, stands_beside_names
from rollcall.wording.labels import words_of_label

if TYPE_CHECKING:
    import ibis.expr.types as ir


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


# Names that a title capitalises and text writes in lower case: Pitcher, but someone "was a pitcher". Titles
# always begin with a capital, so the name alone does not distinguish a position from a film. The page about
# the thing does: the page of a common noun calls it "a pitcher" or "the pitcher" in its first sentence, or
# writes it in lower case several times, and never with a capital inside a sentence. A thing without a page,
# such as a value of a table, is judged by the pages about the subjects of its facts: most of their sentences
# write a common noun in lower case. These names are searched for in lower case as well.

CAPITALISED = r"^[A-Z][a-z]{2,}([ -][A-Za-z][a-z]*)*\z"
"""Names whose capitals may come only from the title."""
_AGAIN = 2
"""How many sentences must write a name in lower case if the first sentence has no article before it."""
_MOSTLY = 3
"""Without an own page: how many sentences must write a name in lower case for each with a capital inside."""
_ARTICLE = re.compile(r"\b(?:[Aa]n?|[Tt]he) $")


class CapitalisedNames(DeclaredTable):
    """A name whose capitals may come only from the title."""

    page = String("the page about what it names, or about another end of its facts")
    entity = String("what it names")
    text = String("the name")
    own = Boolean("whether the page is about what it names")


class SmallNames(CapitalisedNames):
    """A name that its page may write in lower case."""


class WrittenSentences(DeclaredTable, sorted_by=("entity", "name", "own", "number", "text")):
    """A sentence that contains such a name, in lower case or not."""

    entity = CapitalisedNames.entity
    name = CapitalisedNames.text
    own = CapitalisedNames.own
    number = Sentences.number
    text = Sentences.text


class CommonNouns(DeclaredTable):
    """A name that is a common noun, in lower case."""

    entity = CapitalisedNames.entity
    text = CapitalisedNames.text


def keep_common_nouns(bench: Workbench, names: Query) -> None:
    """Keep `CommonNouns`: the names of some entities that are common nouns, in lower case."""
    bench.keep(CapitalisedNames, lambda: _capitalised_names(names()))
    bench.keep(SmallNames, small_names)
    bench.keep(WrittenSentences, written_sentences)
    bench.give(CommonNouns, _common_nouns(bench))


def _capitalised_names(names: "ir.Table") -> Rows[CapitalisedNames]:
    """Names whose capitals may come only from the title, with the pages that tell."""
    ties = unbound(Ties, "corpus_ties").select("entity", "page")
    plain = names.filter(_.text.re_search(CAPITALISED)).select("entity", "text")
    own = plain.join(ties, "entity").mutate(own=ibis.literal(True))
    facts = sought().filter(~_.literal).select(entity="object", other="subject").distinct()
    pages = facts.join(ties.rename(other="entity"), "other").select("entity", "page").distinct()
    others = plain.anti_join(ties, "entity").join(pages, "entity").mutate(own=ibis.literal(False))
    return shaped(CapitalisedNames, shaped(CapitalisedNames, own).union(shaped(CapitalisedNames, others)))


def _own_sentences(names: "ir.Table") -> "ir.Table":
    """Names with the sentences of the page of what they name."""
    sentences = unbound(Sentences, "corpus_sentences").select("page", "number", "text")
    return names.rename(name="text").join(sentences, "page")


def small_names() -> Rows[SmallNames]:
    """The names that their page may write in lower case: few, and only these are examined in detail."""
    names = unbound(CapitalisedNames)
    small = _own_sentences(names).filter(_.text.contains(_.name.lower()))
    own = small.filter(_.own).select("page", "entity", "own", text="name").distinct()
    others = names.semi_join(small.filter(~_.own).select("entity", text="name"), ["entity", "text"])
    return shaped(SmallNames, shaped(SmallNames, own).union(shaped(SmallNames, others.filter(~_.own))))


def written_sentences() -> Rows[WrittenSentences]:
    """The sentences that contain such a name, in lower case or not."""
    rows = _own_sentences(unbound(SmallNames))
    mentions_name = _.text.contains(_.name.lower()) | _.text.contains(" " + _.name)
    return shaped(WrittenSentences, rows.filter(mentions_name))


def _in_order() -> "ir.Table":
    return unbound(WrittenSentences).order_by(columns(WrittenSentences))


def _common_nouns(bench: Workbench) -> pa.Table:
    """The names that are common nouns, in lower case.

    A regular expression for each name would be compiled for every row; plain string searches avoid this.
    """
    nouns: dict[str, list[str]] = {"entity": [], "text": []}
    rows = (row for batch in bench.stream(_in_order) for row in zip(*batch.to_pydict().values(), strict=True))
    for (entity, name, own), group in groupby(rows, key=itemgetter(0, 1, 2)):
        sentences = [(number, text) for *_key, number, text in group]
        if is_common_noun(name, sentences) if own else is_mostly_small(name, [text for _, text in sentences]):
            nouns["entity"].append(entity)
            nouns["text"].append(name.lower())
    return arrow(CommonNouns, nouns)


def is_common_noun(name: str, sentences: Sequence[tuple[int, str]]) -> bool:
    """Whether the numbered sentences of its own page use a name as a common noun."""
    if is_capitalised_inside(name, (text for _number, text in sentences)):
        return False
    small, times, introduced = name.lower(), 0, False
    for number, text in sentences:
        places = list(whole_words(text, small))
        times += bool(places)
        if number == 0 and not text.startswith(name):
            introduced = introduced or any(
                _ARTICLE.search(text, max(0, start - 5), start) for start, _end in places
            )
    return introduced or times >= _AGAIN


def is_mostly_small(name: str, sentences: Sequence[str]) -> bool:
    """Whether sentences about other things use a name as a common noun."""
    times = sum(any(whole_words(text, name.lower())) for text in sentences)
    capitals = sum(is_capitalised_inside(name, [text]) for text in sentences)
    return times >= _AGAIN and times >= _MOSTLY * capitals


def is_capitalised_inside(name: str, texts: Iterable[str]) -> bool:
    """Whether a text has a name with its capital inside a sentence, as only a proper name is written."""
    return any(_is_inside(text, *place) for text in texts for place in whole_words(text, name))


def _is_inside(text: str, start: int, end: int) -> bool:
    """Whether a capitalised name is inside a sentence and not part of a longer name."""
    before, behind = text[start - 2 : start] if start > 1 else "", text[end : end + 2]
    if before[1:] != " " or not (before[0].islower() or before[0].isdigit() or before[0] in ",;:)"):
        return False
    return behind[:1] != " " or (len(behind) == 2 and not behind[1].isupper())


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
_ABBREVIATION = r"^[a-z0-9]{0,3}[a-z][a-z0-9]{0,3}\z"
_NOUNS = r"^([a-z]{4,}|[A-Z][a-z]{3,})( [a-z]{2,}){0,2}\z"
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


class NumberForms(RelationForms, name="number_forms"):
    """A common noun in its other number."""


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
    bench.give(NumberForms, _number_forms(bench, names))
    bench.keep(
        RelationForms,
        lambda: ibis.union(
            _common(names()), _with_nouns(names()), _in_capitals(names()), unbound(NumberForms), distinct=True
        ),
    )


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


def _in_capitals(names: ibis.Table) -> Rows[RelationForms]:
    """The abbreviations that a table has in small letters: MP3 for `mp3`."""
    short = _named_objects(names).filter(_.text.re_search(_ABBREVIATION))
    return shaped(RelationForms, short.select("relation", "entity", words=_.text.upper()).distinct())


def _number_forms(bench: Workbench, names: Query) -> pa.Table:
    """The other number of common nouns: a noble gas for `Noble gases`, graphs for `graph`."""

    def rows() -> ibis.Table:
        nouns = _named_objects(names()).filter(_.text.re_search(_NOUNS))
        return nouns.order_by("relation", "entity", "text")

    forms: dict[str, list[str]] = {"relation": [], "entity": [], "words": []}
    labels = {
        row["relation"]: row["label"]
        for row in bench.records(lambda: unbound(RelationLabels).order_by("relation"))
    }
    for relation, group in groupby(bench.records(rows), key=itemgetter("relation")):
        objects = [(str(row["entity"]), str(row["text"])) for row in group]
        shape = shape_of([text for _entity, text in objects])
        are_kinds = shape == KINDS
        if stands_beside_names(singular(str(labels.get(relation, ""))), shape):
            continue  # the section `editors` is not named by every editor
        for entity, text in objects:
            if not (are_kinds or text.islower()):
                continue
            small = text.lower()
            for words in {small, singular(small), _plural(small)} - {text, ""}:
                forms["relation"].append(str(relation))
                forms["entity"].append(entity)
                forms["words"].append(words)
    return arrow(NumberForms, forms)


def _plural(noun: str) -> str:
    """The plural of a noun in small letters; empty for adjectives, gerunds and plurals."""
    if is_plural(noun.split(" ")[-1]) or shape_of([noun]) in (ADJECTIVES, GERUNDS):
        return ""
    return plural(noun)


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
# text. - A land has several names: USA and United States.


class Derivations(DeclaredTable):
    """The words derived from a name."""

    kind = String("what the words say: `belonging` or `doing`, or `land` if they are other names of a land")
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
        derived += lands_with_names().get(name, ())
    return derived


def keep_derived_names(bench: Workbench) -> None:
    """Keep `derived_names` of the objects that the facts have."""
    rows: list[tuple[str, str, str]] = []
    for name, adjectives in sorted(demonyms().items()):
        rows.append(("belonging", name, BETWEEN.join(adjectives)))
    rows += [("land", name, BETWEEN.join(others)) for name, others in sorted(lands_with_names().items())]
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
        labelled.select("relation", "entity", "name", kind=ibis.literal("land")),
    )
    derived = kinds.join(unbound(Derivations), ["kind", "name"])
    return shaped(DerivedNames, derived.select("relation", "entity", "words").distinct())
