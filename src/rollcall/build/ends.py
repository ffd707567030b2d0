"""The nouns of the ends of relations in a build: from the graph's types, and from the pages of a corpus."""

from collections.abc import Iterable, Sequence

from ibis import _

from rollcall.build.articles import with_articles
from rollcall.build.headings import heading_labels
from rollcall.build.inputs import Inputs
from rollcall.build.page_texts import full_headings, names_in_texts
from rollcall.build.stage import Work
from rollcall.english.first_sentence import described_noun
from rollcall.english.nouns import head_word
from rollcall.graph import Graph
from rollcall.mine.mining import give_ids, ids
from rollcall.query import Query
from rollcall.tables.corpus import Pages, Sentences
from rollcall.tables.table import Rows, Table, shaped, unbound
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.answer_nouns import entities_asked_about
from rollcall.wording.class_nouns import class_noun
from rollcall.wording.ends import EndNouns, better_name, described_as, members_of

_COMPLETE = 0.5
"""The share of those called by a class's noun that must be in the class to compare all its members."""


class _FirstSentences(Table):
    entity = Pages.entity
    text = Sentences.text


def relation_ends(
    graph: Graph, lexicon: Lexicon, relations: Iterable[str], inputs: Inputs, work: Work
) -> EndNouns:
    """The nouns of the ends of those relations that the lexicon does not know."""
    ends = EndNouns(graph)
    wanted = sorted(set(ends.untyped(worded_by_label(graph, lexicon, relations))))
    described = _described(wanted, inputs, work)
    return EndNouns(graph, {entity: described_as(noun) for entity, noun in described.items()})


def class_names(graph: Graph, classes: Iterable[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """The nouns of those classes whose labels are not what pages call their members."""
    members = {one: members_of(graph, one) for one in sorted(set(classes))}
    described = _described(sorted({id_ for ids_ in members.values() for id_ in ids_}), inputs, work)
    found = {
        one: better_name(class_noun(graph.class_label(one), one), [described.get(id_, "") for id_ in ids_])
        for one, ids_ in members.items()
    }
    return {one: noun for one, noun in found.items() if noun}


def realiser_for(
    graph: Graph,
    lexicon: Lexicon,
    queries: Sequence[Query],
    answers: Iterable[str],
    inputs: Inputs,
    work: Work,
    *,
    tell_namesakes_apart: bool = False,
) -> Realiser:
    """The realiser of some queries with these answers, with all nouns that the graph and the pages give."""
    classes = _all(query.classes for query in queries)
    relations = _all(query.relations for query in queries)
    named = _all(query.entities for query in queries)
    names = with_articles(graph, named, inputs, work)
    names |= names_in_texts(graph, named, inputs, work)
    described: dict[str, str] = {}
    if inputs.given_corpus is not None:
        wanted = {entity for query in queries for entity in entities_asked_about(graph, query)}
        wanted.update(answers, *(members_of(graph, one) for one in classes))
        wanted.update(*(query.entities for query in queries))
        described = _described(sorted(wanted), inputs, work)
    return Realiser(
        graph,
        lexicon,
        ends=relation_ends(graph, lexicon, relations, inputs, work),
        relation_names=heading_labels(graph, relations, inputs, work),
        class_names=class_names(graph, classes, inputs, work) | full_headings(graph, classes, inputs, work),
        names=names,
        described=described,
        incomplete=_incomplete_classes(graph, queries, inputs, work),
        tell_namesakes_apart=tell_namesakes_apart,
    )


def _incomplete_classes(graph: Graph, queries: Sequence[Query], inputs: Inputs, work: Work) -> set[str]:
    """The classes of queries that compare all their members, though pages call others by their noun, too."""
    alone = (query for query in queries if query.function is not None and not query.entities)
    classes = _all(query.classes for query in alone)
    if inputs.given_corpus is None or not classes:
        return set()
    called: dict[str, list[str]] = {}
    for entity, noun in _described(None, inputs, work).items():
        called.setdefault(described_as(noun), []).append(entity)
    found = set()
    for one in classes:
        own, index = class_noun(graph.class_label(one), one), graph.index
        bearers = called.get("person" if own.person else head_word(own.one), [])
        members = {index.entity_ids[number] for number in index.members(one)}
        if sum(entity in members for entity in bearers) < _COMPLETE * len(bearers) or not bearers:
            found.add(one)
    return found


def _all(names: Iterable[Iterable[str]]) -> list[str]:
    return sorted({name for some in names for name in some})


def _described(wanted: list[str] | None, inputs: Inputs, work: Work) -> dict[str, str]:
    """The nouns by which the first sentences of their pages say what some entities are; None for all."""
    if inputs.given_corpus is None or wanted == []:
        return {}
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read_folder("corpus", inputs.corpus, Pages, Sentences)
        give_ids(bench, "wanted", wanted or [])
        rows = bench.records(_first_sentences if wanted is not None else _all_first_sentences)
        return {row["entity"]: described_noun(row["text"]) for row in rows}


def worded_by_label(graph: Graph, lexicon: Lexicon, relations: Iterable[str]) -> list[str]:
    """The relations of the graph that the lexicon does not know, so that their labels give their words."""
    there = (one for one in relations if graph.index.relation_number(one) is not None)
    return [one for one in there if lexicon.entry(one, graph.relation_label(one)).generic]


def lexicon_note(graph: Graph, lexicon: Lexicon, relations: Iterable[str]) -> list[str]:
    """For the summary of a build: how to correct the words that come from labels alone."""
    unknown = worded_by_label(graph, lexicon, relations)
    if not unknown:
        return []
    return [
        f"relations worded by their labels alone: {len(unknown):,}; to correct them: rollcall lexicon "
        "GRAPH --out mine.yaml, then --set wording.lexicon=mine.yaml"
    ]


def _first_sentences() -> Rows[_FirstSentences]:
    rows = _all_first_sentences()
    return shaped(_FirstSentences, rows.semi_join(ids("wanted"), rows.entity == ids("wanted").id))


def _all_first_sentences() -> Rows[_FirstSentences]:
    pages = unbound(Pages, "corpus_pages").filter(_.entity.notnull()).select("entity", page="id")
    sentences = unbound(Sentences, "corpus_sentences").filter(_.number == 0).select("page", "text")
    return shaped(_FirstSentences, pages.join(sentences, "page").order_by("entity", "text"))
