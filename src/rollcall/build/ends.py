"""The nouns of the ends of relations in a build: from the graph's types, and from the pages of a corpus."""

from collections.abc import Iterable, Sequence

from ibis import _

from rollcall.build.inputs import Inputs
from rollcall.build.stage import Work
from rollcall.english.first_sentence import described_noun
from rollcall.graph import Graph
from rollcall.mine.mining import give_ids, ids
from rollcall.query import Query
from rollcall.tables.corpus import Pages, Sentences
from rollcall.tables.table import Rows, Table, shaped, unbound
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.answer_nouns import entities_asked_about
from rollcall.wording.class_nouns import class_noun
from rollcall.wording.ends import EndNouns, better_name, described_as, members_of


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
    described: dict[str, str] = {}
    if inputs.given_corpus is not None:
        wanted = {entity for query in queries for entity in entities_asked_about(graph, query)}
        wanted.update(answers, *(members_of(graph, one) for one in classes))
        wanted.update(*(query.entities for query in queries))
        described = _described(sorted(wanted), inputs, work)
    return Realiser(
        graph,
        lexicon,
        ends=relation_ends(graph, lexicon, _all(query.relations for query in queries), inputs, work),
        class_names=class_names(graph, classes, inputs, work),
        described=described,
        tell_namesakes_apart=tell_namesakes_apart,
    )


def _all(names: Iterable[Iterable[str]]) -> list[str]:
    return sorted({name for some in names for name in some})


def _described(wanted: list[str], inputs: Inputs, work: Work) -> dict[str, str]:
    """The nouns by which the first sentences of their pages say what entities are."""
    if inputs.given_corpus is None or not wanted:
        return {}
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read_folder("corpus", inputs.corpus, Pages, Sentences)
        give_ids(bench, "wanted", wanted)
        return {row["entity"]: described_noun(row["text"]) for row in bench.records(_first_sentences)}


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
    pages = unbound(Pages, "corpus_pages").select("entity", page="id")
    pages = pages.semi_join(ids("wanted"), pages.entity == ids("wanted").id)
    sentences = unbound(Sentences, "corpus_sentences").filter(_.number == 0).select("page", "text")
    found = pages.join(sentences, "page").select("entity", "text")
    return shaped(_FirstSentences, found.order_by("entity", "text"))
