"""What readers take for sentences are the sentences of the corpus."""

from rollcall.graph import Graph
from rollcall.questions import Passage
from rollcall.systems.read.support import PassagePreparation
from rollcall.text.name_lookup import NameFinder
from rollcall.text.sentences import split


def test_a_reader_sees_the_sentences_of_the_corpus(asked_world) -> None:
    corpus = asked_world.corpus
    for page in list(corpus.pages())[:200]:
        texts = [sentence.text for sentence in corpus.sentences(page.id)]
        for passage in corpus.passages(page.id):
            found = [passage.text[start:end] for start, end in split(passage.text)]
            assert found == texts[passage.first : passage.last + 1]


def test_abbreviations_and_initials_end_no_sentence(asked_world) -> None:
    graph: Graph = asked_world.graph
    reading = PassagePreparation(graph, NameFinder(graph.index), lambda id_: None)
    text = "Dr. A. Venn met St. Orm in Vell. She wrote to the U.S. Navy. It never replied."
    (read,) = reading.read([Passage("p", "Page", text)])
    assert [sentence.text for sentence in read.sentences] == [
        "Dr. A. Venn met St. Orm in Vell.",
        "She wrote to the U.S. Navy.",
        "It never replied.",
    ]
