"""Words derived from a name, by which text names the object of a relation.

- What belongs to a land goes by its adjective: a citizen of France "is a French painter". The word states
  belonging (nationality, citizenship, country of origin), not a place: a French painter need not have been
  born in France.
- Who does a thing goes by the noun for such people: a page says of a person's sport, fencing, that she "is a
  fencer".

So such words count only for relations whose label says so. The object may be an entity or a text.
"""

import re
from collections.abc import Iterable

import ibis

from rollcall.english.activities import practitioners
from rollcall.english.demonyms import demonyms
from rollcall.evidence.names.forms import BETWEEN
from rollcall.evidence.names.relation_names import Objects, RelationLabels, TextObjects
from rollcall.tables.engine import Workbench
from rollcall.tables.evidence import RelationNames
from rollcall.tables.graph import Entities
from rollcall.tables.table import Rows, String, Table, arrow, shaped, unbound


class Derivations(Table):
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
    found: list[str] = []
    for name in names:
        found += demonyms().get(name, ()) if belongs else ()
        found += practitioners().get(re.sub(_BRACKETS, "", name.lower()), ()) if does else ()
    return found


def keep_derived_names(bench: Workbench) -> None:
    """Keep `derived_names` of the objects that the facts have."""
    rows: list[tuple[str, str, str]] = []
    for name, words in sorted(demonyms().items()):
        rows.append(("belonging", name, BETWEEN.join(words)))
    for activity, doers in practitioners().items():
        rows.append(("doing", activity, BETWEEN.join(doers)))
    kinds, names, joined = map(list, zip(*rows, strict=True))
    bench.give(Derivations, arrow(Derivations, {"kind": kinds, "name": names, "words": joined}))
    bench.keep(DerivedNames, _derived_names)


def _derived_names() -> Rows[DerivedNames]:
    entities = unbound(Entities, "graph_entities")
    named = entities.select(entity="id", name=ibis.coalesce(entities.label, entities.id))
    things = unbound(Objects).join(named, "entity").select("relation", "entity", "name")
    texts = unbound(TextObjects).select("relation", "entity", "name")
    labelled = things.union(texts).join(unbound(RelationLabels), "relation")
    belongs = labelled.label.re_search(_BELONGING) & ~labelled.label.re_search(_PLACE)
    does = labelled.label.re_search(_DOING)
    activity = labelled.name.lower().re_replace(_BRACKETS, "")
    kinds = ibis.union(
        labelled.filter(belongs).select("relation", "entity", "name", kind=ibis.literal("belonging")),
        labelled.filter(does).select("relation", "entity", name=activity, kind=ibis.literal("doing")),
    )
    found = kinds.join(unbound(Derivations), ["kind", "name"])
    return shaped(DerivedNames, found.select("relation", "entity", "words").distinct())
