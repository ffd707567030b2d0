"""Words for people and things of a country: text says of a citizen of France that he "is a French painter".

Such a word states belonging (nationality, citizenship, country of origin), not a place: a French painter need
not have been born in France. So it counts as a name of the country only for relations whose label says so.
"""

import ibis
from ibis import _

from rollcall.english.demonyms import demonyms
from rollcall.evidence.names.forms import BETWEEN
from rollcall.evidence.names.relation_names import RelationLabels
from rollcall.tables.engine import Workbench
from rollcall.tables.evidence import RelationNames
from rollcall.tables.graph import Entities
from rollcall.tables.table import Rows, String, Table, arrow, shaped, unbound


class Demonyms(Table):
    """The words for what belongs to a country."""

    country = String("the country's name")
    words = String("the words, with a separator between them")


class NationalNames(RelationNames, name="national_names"):
    """Words that name a country as the object of a relation of belonging."""


_BELONGING = r"\b(nation|nationality|nationalities|citizenship|country|countries|origin)\b"
_PLACE = r"\b(birth|born|death|died|burial|residence|location|located|host|hosts|venue|filming|visited)\b"


def keep_national_names(bench: Workbench) -> None:
    """Keep `national_names`: the words by which text may name the objects of relations of belonging."""
    words = {country: BETWEEN.join(words) for country, words in sorted(demonyms().items())}
    bench.give(Demonyms, arrow(Demonyms, {"country": list(words), "words": list(words.values())}))
    bench.keep(NationalNames, _national_names)


def _national_names() -> Rows[NationalNames]:
    telling = unbound(RelationLabels).filter(_.label.re_search(_BELONGING), ~_.label.re_search(_PLACE))
    entities, words = unbound(Entities, "graph_entities"), unbound(Demonyms)
    named = entities.select(entity="id", country=ibis.coalesce(entities.label, entities.id))
    countries = named.join(words, "country").select("entity", "words")
    return shaped(NationalNames, telling.select("relation").cross_join(countries))
