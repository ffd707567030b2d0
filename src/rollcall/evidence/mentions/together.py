"""The sentences that name both ends of a fact, on pages of neither, and the most promising of them.

Input: `mentioned`, and the facts. Output: `pair_wants`. Ends in the same sentence are joined with each other
first and only then with the facts. So the cost grows with the text and with the facts: an entity with very
many facts, named on very many pages, does not multiply the two.
"""

from pathlib import Path

import ibis
from ibis import _

from rollcall.evidence.arrow_files import write_arrow
from rollcall.evidence.mentions.homonyms import Mentioned, Topics, value_end
from rollcall.evidence.names.forms import BETWEEN
from rollcall.evidence.names.of_ends import JoinedNames, names_of_relations
from rollcall.evidence.table import FACT
from rollcall.tables.corpus import Pages
from rollcall.tables.engine import Query, Workbench
from rollcall.tables.evidence import NameKeys, NamePlaces, PageKeys, PairWants
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Int64, Rows, String, Table, shaped, unbound

MOST_SENTENCES = 10
"""For each fact, besides those on the pages of its ends."""
_MOST_ENDS = 40
"""Of a sentence; one that names more is a list, and is left out."""
_LATER, _LATEST = 10, 20
"""How many characters between both ends a sentence counts that is one later on its page, and up to where."""
_SENTENCE = ["page", "sentence"]


class EndsOfSentences(Mentioned):
    """An end of a fact in a sentence, at the first of its places."""


class SoughtEnds(ProvableFacts):
    """A fact with what the index of mentions has for its object."""

    named = Mentioned.end


class Pairs(Table):
    """Two ends that a sentence names."""

    page = NamePlaces.page
    sentence = NamePlaces.sentence
    subject = ProvableFacts.subject
    named = Mentioned.end
    literal = ProvableFacts.literal
    relation = String("the only relation for which the object's name counts; empty for all")
    apart = Int64("how many characters are between their places")


class Together(Table):
    """A sentence that seems to name both ends of a fact."""

    page = NamePlaces.page
    sentence = NamePlaces.sentence
    subject = ProvableFacts.subject
    relation = ProvableFacts.relation
    object = ProvableFacts.object
    literal = ProvableFacts.literal
    rank = Int64("its place among the sentences of the fact, from 0")


def write_pair_wants(bench: Workbench, folder: Path, facts: Query) -> int:
    """Write `pair_wants.arrow` for some of the facts; returns the number of its rows."""
    bench.keep(ProvableFacts, facts, "sought_elsewhere")
    bench.keep(SoughtEnds, sought_ends)
    bench.keep(EndsOfSentences, ends_of_sentences)
    bench.keep(Pairs, pairs)
    bench.keep(Together, together)
    return write_arrow(bench, PairWants, pair_wants, folder)


def sought_ends() -> Rows[SoughtEnds]:
    """The facts; for values, with each of the keys that may state them."""
    rows, keys = unbound(ProvableFacts, "sought_elsewhere"), unbound(NameKeys)
    stating = keys.filter(_.literal).select("literal", object="end", named=value_end(_.key)).distinct()
    values = rows.join(stating, ["object", "literal"])
    entities = rows.filter(~_.literal).mutate(named=_.object)
    return shaped(SoughtEnds, shaped(SoughtEnds, entities).union(shaped(SoughtEnds, values)))


def ends_of_sentences() -> Rows[EndsOfSentences]:
    """The ends that each sentence names, each once, at its first place."""
    once = unbound(Mentioned).group_by(*_SENTENCE, "end", "literal", "relation").agg(place=_.place.min())
    return shaped(EndsOfSentences, once)


def _of_sentences() -> Rows[EndsOfSentences]:
    rows = unbound(EndsOfSentences)
    crowded = rows.group_by(_SENTENCE).agg(count=_.count()).filter(_["count"] > _MOST_ENDS)
    return rows.anti_join(crowded, _SENTENCE)


def pairs() -> Rows[Pairs]:
    """The possible subjects and objects that are in one sentence."""
    named, facts = _of_sentences(), unbound(SoughtEnds)
    subjects = named.filter(~_.literal & (_.relation == "")).semi_join(
        facts.select(end="subject").distinct(), "end"
    )
    objects = named.semi_join(facts.select("literal", end="named").distinct(), ["end", "literal"])
    subjects = subjects.select(*_SENTENCE, subject="end", subject_place="place")
    objects = objects.select(*_SENTENCE, "literal", "relation", named="end", object_place="place")
    both = subjects.join(objects, _SENTENCE)
    both = both.filter((both.subject != both.named) | both.literal)
    return shaped(Pairs, both.mutate(apart=(both.subject_place - both.object_place).abs()))


def together() -> Rows[Together]:
    """The most promising sentences of each fact: early on their pages, and with both ends close."""
    found, facts, topics = unbound(Pairs), unbound(SoughtEnds), unbound(Topics)
    found = found.rename(only="relation")
    stated = found.join(facts, ["subject", "named", "literal"])
    stated = stated.filter((stated.only == "") | (stated.only == stated.relation))
    once = stated.group_by(*_SENTENCE, *FACT).agg(apart=_.apart.min())
    away = once.anti_join(topics, [("page", "page"), ("subject", "entity")])
    of_object = topics.view()
    away = away.anti_join(
        of_object, (away.page == of_object.page) & (away.object == of_object.entity) & ~away.literal
    )
    away = away.mutate(promise=_.apart + _LATER * ibis.least(_.sentence, _LATEST))
    order = ["promise", *_SENTENCE]
    rank = ibis.row_number().over(ibis.window(group_by=list(FACT), order_by=order))
    return shaped(Together, away.mutate(rank=rank).filter(_["rank"] < MOST_SENTENCES))


def pair_wants() -> Rows[PairWants]:
    """The sentences to search, with the names of both ends."""
    rows, known, also = unbound(Together), unbound(JoinedNames), names_of_relations()
    titles = unbound(Pages, "corpus_pages").select("title", page="id")
    rows = rows.rename(key="page").join(unbound(PageKeys).distinct(), "key")
    of_subject = known.select(subject="entity", subject_label="label", subject_names="names")
    of_object = known.view().select(
        object="entity", object_label="label", object_names="names", literal=ibis.literal(False)
    )
    named = rows.join(titles, "page").left_join(of_subject, "subject").drop("subject_right")
    named = named.left_join(of_object, ["object", "literal"]).drop("object_right", "literal_right")
    named = named.left_join(also, [("relation", "relation"), ("object", "entity")])
    return shaped(
        PairWants,
        named.mutate(
            subject_label=ibis.coalesce(_.subject_label, _.subject),
            subject_names=ibis.coalesce(_.subject_names, _.subject),
            object_label=ibis.coalesce(_.object_label, _.object),
            object_names=ibis.coalesce(_.object_names, _.object) + ibis.coalesce(BETWEEN + _.words, ""),
        ),
    )
