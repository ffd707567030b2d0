"""Where the corpus has the keys of names: every sentence is read once for all of them.

Input: `known_keys.npy` and a corpus. Output: files of `name_places` and `page_keys`. Pages are numbers here,
because the engine joins those faster than their ids. Blocks of sentences and links stream
through worker processes; the result does not depend on how they are cut.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from ibis import _

from rollcall._core.console import Progress
from rollcall.evidence.candidate import FACT, write_arrow
from rollcall.evidence.mentions.homonyms import Mentioned, Topics, value_end
from rollcall.evidence.names import JoinedNames, names_of_relations
from rollcall.evidence.values import text_forms, wanted_value
from rollcall.query.values import Date, Number, Text
from rollcall.tables.build import NameKeys, NamePlaces, PageKeys, PairWants, ProvableFacts
from rollcall.tables.corpus import Links, Pages, Sentences
from rollcall.tables.engine import Query, Workbench, nothing
from rollcall.tables.files import batches, count, write_scratch
from rollcall.tables.table import DeclaredTable, Int64, Rows, String, schema, shaped, unbound
from rollcall.text.name_forms import BETWEEN, END, WORD, known_forms
from rollcall.text.name_lookup import KnownKeys, beginnings, write_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rollcall.tables.engine import Engine
    from rollcall.text.name_lookup import Keys


# The keys under which the corpus is searched: those of names, of values, and of links. Input:
# `named_ends`. Output: files of `name_keys`, and those of `word_keys`. A name has the keys of its
# written forms. A date is found by its year and a number by its digits, if these are more than two:
# smaller ones are in too many sentences. A link to an entity has a key of its own, like a name that
# no other entity has.

_FEWEST_DIGITS = 3


def write_name_keys(folder: Path, named_ends: Iterable[pa.RecordBatch], engine: "Engine") -> None:
    """Write the keys of `named_ends` to a folder."""
    (folder / "name_keys").mkdir()
    whole, begun = [], []
    for number, (rows, starts) in enumerate(engine.map_blocks(_keyed, named_ends, nothing)):
        write_scratch(rows, folder / "name_keys" / f"{number:06d}.parquet")
        whole.append(rows["key"].to_numpy().view(np.uint64))
        begun.append(starts)
    write_keys(folder, whole, begun)


def link_key(entity: str) -> int:
    """The key of all links to an entity."""
    return beginnings((END, entity))[-1]


def _keyed(_prepared: None, ends: pa.RecordBatch) -> "tuple[pa.Table, NDArray[np.uint64]]":
    """The keys of some ends, and the keys with which longer names begin."""
    keys: list[int] = []
    rows: list[int] = []
    begun: set[int] = set()
    columns = (ends[name].to_pylist() for name in ("end", "literal", "relation", "names"))
    for row, (end, literal, relation, names) in enumerate(zip(*columns, strict=True)):
        own_keys = set() if literal or relation else {link_key(end)}
        for words in map(WORD.findall, _of_value(end) if literal else _of_names(names)):
            if words:
                *starts, key = beginnings(words)
                own_keys.add(key)
                begun.update(starts)
        keys += sorted(own_keys)
        rows += [row] * len(own_keys)
    end_rows = ends.take(pa.array(rows, pa.int64()))
    signed = pa.array(np.array(keys, np.uint64).view(np.int64))
    arrays = [signed, *(end_rows[name] for name in schema(NameKeys).names[1:])]
    return pa.Table.from_arrays(arrays, schema=schema(NameKeys)), np.array(sorted(begun), np.uint64)


def _of_names(names: str) -> Iterator[str]:
    """The written forms of names joined in one text; a form without a word cannot be found."""
    return (form.text for form in known_forms(names) if form.word)


def _of_value(text: str) -> Iterator[str]:
    """How a value in canonical text is written, as far as its digits do not depend on the unit."""
    value = wanted_value(text)
    if isinstance(value, Text):
        yield from (form.text for form in text_forms(value))
    elif isinstance(value, Number):
        amount = abs(value.amount)
        if -30 < amount.adjusted() < 30 and len(amount.as_tuple().digits) >= _FEWEST_DIGITS:
            yield from {f"{amount:f}", f"{amount:,f}"}
    elif isinstance(value, Date):
        year = str(value.year if value.year > 0 else 1 - value.year)
        if len(year) >= _FEWEST_DIGITS and value.precision in ("year", "month", "day", "decade"):
            yield f"{year}s" if value.precision == "decade" else year


_ROWS = 1 << 14


class SomeText(NamedTuple):
    """Some sentences, or some links, of a corpus."""

    number: int
    rows: pa.RecordBatch


def find_places(folder: Path, corpus: Path, engine: "Engine") -> None:
    """Write the places of all known keys to `folder/name_places`, and their pages to `folder/page_keys`."""
    for name in ("name_places", "page_keys"):
        (folder / name).mkdir()
    total = count(Sentences, corpus / "sentences.parquet") + count(Links, corpus / "links.parquet")
    with Progress("finding names", total) as progress:
        for rows in engine.map_blocks(_find, _blocks(corpus), partial(_open, folder)):
            progress.advance(rows)


def _blocks(corpus: Path) -> Iterator[SomeText]:
    sentences = batches(
        Sentences, corpus / "sentences.parquet", ["page", "number", "start", "text"], rows=_ROWS
    )
    links = batches(Links, corpus / "links.parquet", ["page", "sentence", "start", "entity"], rows=4 * _ROWS)
    number = 0
    for stream in (sentences, links):
        for batch in stream:
            yield SomeText(number, batch)
            number += 1


def _open(folder: Path) -> tuple[KnownKeys, Path]:
    return KnownKeys(folder), folder


def _find(prepared: tuple[KnownKeys, Path], block: SomeText) -> int:
    """Write the places in a block; returns the number of its sentences and links."""
    known_keys, folder = prepared
    of_sentences = "text" in block.rows.schema.names
    places = _in_sentences(known_keys, block.rows) if of_sentences else _in_links(known_keys, block.rows)
    if places.num_rows:
        write_scratch(places, folder / "name_places" / f"{block.number:06d}.parquet")
    pages = block.rows["page"].unique()
    numbers = {"key": pa.array(_numbers(pages).view(np.int64)), "page": pages}
    write_scratch(pa.table(numbers, schema(PageKeys)), folder / "page_keys" / f"{block.number:06d}.parquet")
    return block.rows.num_rows


def _in_sentences(known_keys: KnownKeys, sentences: pa.RecordBatch) -> pa.Table:
    texts: Any = sentences["text"]
    matches = known_keys.find(texts)
    rows = sentences.select(["page", "number", "start"]).take(matches.rows)
    places = pa.array(rows["start"].to_numpy() + matches.places)
    return _table(rows["page"], rows["number"], places, matches.keys)


def _in_links(known_keys: KnownKeys, links: pa.RecordBatch) -> pa.Table:
    """Links to known entities, in sentences."""
    placed = links.filter(pc.and_(pc.is_valid(links["sentence"]), pc.is_valid(links["entity"])))
    different: Any = placed["entity"].dictionary_encode()
    keys = np.fromiter(map(link_key, different.dictionary.to_pylist()), np.uint64)
    keys = keys[different.indices.to_numpy()] if len(keys) else keys
    is_known = known_keys.contains(keys)
    rows = placed.filter(pa.array(is_known))
    return _table(rows["page"], rows["sentence"], rows["start"], keys[is_known])


def _table(pages: Any, sentences: Any, places: Any, keys: "Keys") -> pa.Table:
    encoded = pages.dictionary_encode()
    numbers = _numbers(encoded.dictionary)[encoded.indices.to_numpy()]
    arrays = [pa.array(numbers.view(np.int64)), sentences, places, pa.array(keys.view(np.int64))]
    return pa.Table.from_arrays(arrays, schema=schema(NamePlaces))


def _numbers(pages: Any) -> "Keys":
    return np.array([beginnings((page,))[0] for page in pages.to_pylist()], np.uint64)


# The sentences that name both ends of a fact, on pages of neither, and the most promising of them.
# Input: `mentioned`, and the facts. Output: `pair_wants`. Ends in the same sentence are joined with each
# other first and only then with the facts. So the cost grows with the text and with the facts: an entity
# with very many facts, named on very many pages, does not multiply the two.

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


class Pairs(DeclaredTable):
    """Two ends that a sentence names."""

    page = NamePlaces.page
    sentence = NamePlaces.sentence
    subject = ProvableFacts.subject
    named = Mentioned.end
    literal = ProvableFacts.literal
    relation = String("the only relation for which the object's name counts; empty for all")
    apart = Int64("how many characters are between their places")


class Together(DeclaredTable):
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
    first_places = (
        unbound(Mentioned).group_by(*_SENTENCE, "end", "literal", "relation").agg(place=_.place.min())
    )
    return shaped(EndsOfSentences, first_places)


def _of_sentences() -> Rows[EndsOfSentences]:
    rows = unbound(EndsOfSentences)
    crowded = rows.group_by(_SENTENCE).agg(count=_.count()).filter(_["count"] > _MOST_ENDS)
    return rows.anti_join(crowded, _SENTENCE)


def pairs() -> Rows[Pairs]:
    """The possible subjects and objects that are in one sentence."""
    named_ends, facts = _of_sentences(), unbound(SoughtEnds)
    subjects = named_ends.filter(~_.literal & (_.relation == "")).semi_join(
        facts.select(end="subject").distinct(), "end"
    )
    objects = named_ends.semi_join(facts.select("literal", end="named").distinct(), ["end", "literal"])
    subjects = subjects.select(*_SENTENCE, subject="end", subject_place="place")
    objects = objects.select(*_SENTENCE, "literal", "relation", named="end", object_place="place")
    joined = subjects.join(objects, _SENTENCE)
    joined = joined.filter((joined.subject != joined.named) | joined.literal)
    return shaped(Pairs, joined.mutate(apart=(joined.subject_place - joined.object_place).abs()))


def together() -> Rows[Together]:
    """The most promising sentences of each fact: early on their pages, and with both ends close."""
    pair_rows, facts, topics = unbound(Pairs), unbound(SoughtEnds), unbound(Topics)
    pair_rows = pair_rows.rename(only="relation")
    stated = pair_rows.join(facts, ["subject", "named", "literal"])
    stated = stated.filter((stated.only == "") | (stated.only == stated.relation))
    closest = stated.group_by(*_SENTENCE, *FACT).agg(apart=_.apart.min())
    elsewhere = closest.anti_join(topics, [("page", "page"), ("subject", "entity")])
    of_object = topics.view()
    elsewhere = elsewhere.anti_join(
        of_object,
        (elsewhere.page == of_object.page) & (elsewhere.object == of_object.entity) & ~elsewhere.literal,
    )
    elsewhere = elsewhere.mutate(promise=_.apart + _LATER * ibis.least(_.sentence, _LATEST))
    order = ["promise", *_SENTENCE]
    rank = ibis.row_number().over(ibis.window(group_by=list(FACT), order_by=order))
    return shaped(Together, elsewhere.mutate(rank=rank).filter(_["rank"] < MOST_SENTENCES))


def pair_wants() -> Rows[PairWants]:
    """The sentences to search, with the names of both ends."""
    rows, entity_names, relation_names = unbound(Together), unbound(JoinedNames), names_of_relations()
    titles = unbound(Pages, "corpus_pages").select("title", page="id")
    rows = rows.rename(key="page").join(unbound(PageKeys).distinct(), "key")
    of_subject = entity_names.select(subject="entity", subject_label="label", subject_names="names")
    of_object = entity_names.view().select(
        object="entity", object_label="label", object_names="names", literal=ibis.literal(False)
    )
    with_names = rows.join(titles, "page").left_join(of_subject, "subject").drop("subject_right")
    with_names = with_names.left_join(of_object, ["object", "literal"]).drop("object_right", "literal_right")
    with_names = with_names.left_join(relation_names, [("relation", "relation"), ("object", "entity")])
    return shaped(
        PairWants,
        with_names.mutate(
            subject_label=ibis.coalesce(_.subject_label, _.subject),
            subject_names=ibis.coalesce(_.subject_names, _.subject),
            object_label=ibis.coalesce(_.object_label, _.object),
            object_names=ibis.coalesce(_.object_names, _.object) + ibis.coalesce(BETWEEN + _.words, ""),
        ),
    )
