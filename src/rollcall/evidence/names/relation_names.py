"""Further names that the objects of one relation have, by what the relation is.

Input: the facts, the names of their ends, and the labels of their relations (the headings, for columns of
lists). Output: the table `relation_forms`. These names do not count for other relations.

- Positions, sports and genres are common nouns, but tables and titles capitalise them. The page about a thing
  shows whether it is one (`common_nouns`). If most objects of a relation are, text may write the others in
  lower case, too: "plays as a forward".
- The noun of a relation may be part of its objects' names: the party Liberal is the Liberal Party, and the
  region Norrow is the Norrow Region.
"""

import re

import ibis
from ibis import _

from rollcall.corpus.lists import parse_column
from rollcall.english.nouns import is_plural
from rollcall.evidence.names.common_nouns import CAPITALISED, CommonNouns
from rollcall.tables.engine import Query, Workbench
from rollcall.tables.evidence import RelationNames
from rollcall.tables.graph import Relations
from rollcall.tables.table import Rows, String, Table, arrow, shaped, unbound
from rollcall.wording.label_words import words_of_label

_LEAST = 2
_SHARE = 0.5
"""How many objects of a relation, and which share, must be common nouns."""
_NOUN = re.compile(r"(?:^|[\s_/-])([a-z]{4,})$")
_OTHER_NAMES = frozenset({"state"})
"""With these nouns a name means something else: Kansas State is a university."""
_TEXT = r'^"([^"]+)"'
_SHORT_NAME = r"^[A-Z][^\s,()0-9]*( [^\s,()0-9]+){0,2}\z"


class RelationLabels(Table):
    """A relation of the facts, with the words for it."""

    relation = String("the relation")
    label = String("its label, or the heading of a column, in words and in lower case")
    noun = String("the noun at the end of the label, with a capital; empty if there is none")


class Objects(Table):
    """An entity that a relation of the facts leads to."""

    relation = RelationLabels.relation
    entity = String("the entity")


class TextObjects(Table):
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
    found: dict[str, list[str]] = {"relation": [], "label": [], "noun": []}
    for row in bench.records(_labelled):
        column = parse_column(row["relation"])
        label = words_of_label(column.header if column else row["label"]).lower()
        found["relation"].append(row["relation"])
        found["label"].append(label)
        found["noun"].append(_noun(label))
    bench.give(RelationLabels, arrow(RelationLabels, found))


def keep_relation_forms(bench: Workbench, names: Query) -> None:
    """Keep `relation_forms`, by the names of the ends."""
    bench.keep(RelationForms, lambda: ibis.union(_common(names()), _with_nouns(names()), distinct=True))


def _named(names: ibis.Table) -> ibis.Table:
    """The objects with their names, the words of cells among them."""
    of_cells = unbound(RelationNames).rename(text="words")
    of_cells = of_cells.semi_join(unbound(Objects), ["relation", "entity"])
    of_all = unbound(Objects).join(names, "entity").select("relation", "entity", "text")
    return of_all.union(of_cells.select("relation", "entity", "text"), distinct=True)


def _objects(facts: Rows[Table]) -> Rows[Objects]:
    return shaped(Objects, facts.filter(~_.literal).select("relation", entity="object").distinct())


def _text_objects(facts: Rows[Table]) -> Rows[TextObjects]:
    texts = facts.filter(_.literal, _.object.startswith('"')).select("relation", entity="object").distinct()
    return shaped(TextObjects, texts.mutate(name=texts.entity.re_extract(_TEXT, 1)))


def _labelled() -> ibis.Table:
    labels = unbound(Relations, "graph_relations").select(relation="id", label="label")
    objects, texts = unbound(Objects).select("relation"), unbound(TextObjects).select("relation")
    rows = objects.union(texts, distinct=True).left_join(labels, "relation")
    return rows.select("relation", label=ibis.coalesce(_.label, _.relation)).order_by("relation")


def _noun(label: str) -> str:
    found = _NOUN.search(label)
    if found is None or found[1] in _OTHER_NAMES or is_plural(found[1]):
        return ""
    return found[1].capitalize()


def _common(names: ibis.Table) -> Rows[RelationForms]:
    """The names of the objects of relations to common nouns, in lower case."""
    written = names.filter(_.text == _.text.lower(), _.text.re_search(r"^[a-z]{3}")).select("entity")
    nouns = ibis.union(written, unbound(CommonNouns).select("entity"), distinct=True)
    objects = unbound(Objects)
    totals = objects.group_by("relation").agg(total=_.count())
    known = objects.semi_join(nouns, "entity").group_by("relation").agg(known=_.count())
    telling = totals.join(known, "relation").filter(_.known >= _LEAST, _.known >= _.total * _SHARE)
    named = _named(names).semi_join(telling, "relation").filter(_.text.re_search(CAPITALISED))
    return shaped(RelationForms, named.select("relation", "entity", words=_.text.lower()).distinct())


def _with_nouns(names: ibis.Table) -> Rows[RelationForms]:
    """The names of objects, followed by the noun of the relation."""
    nouns = unbound(RelationLabels).filter(_.noun != "").select("relation", "noun")
    named = _named(names).filter(_.text.re_search(_SHORT_NAME)).join(nouns, "relation")
    named = named.filter(~_.text.contains(_.noun))
    return shaped(RelationForms, named.select("relation", "entity", words=_.text + " " + _.noun).distinct())
