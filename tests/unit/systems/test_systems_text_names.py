"""Readers without a graph: documents and questions are enough."""

import json

import pytest

from rollcall import RollcallError, run
from rollcall.corpus import make_corpus
from rollcall.graph import make_graph
from rollcall.questions import EntityAnswer, read_questions
from rollcall.score import score
from rollcall.systems import Context
from rollcall.systems.read.question_words import answer_kind
from rollcall.systems.read.text_names import open_names

PAGES = {
    "Kestrel": "The Kestrel is a pump. It was designed by Tomas Lindgren and Ada Moss in 1974. "
    "It is made in Senning.",
    "Teasel": "The Teasel is a pump. It was designed by Ada Moss in 1981. "
    "It is made in Senning, a town in Norrow.",
    "Heron": "The Heron is a valve. It was designed by Tomas Lindgren in 1990. It weighs 12 kilograms.",
    "Osprey": "The Osprey is a pump. It was designed by Ben Vale in 1999. It is made in Marl.",
    "Ada Moss": "Ada Moss is an engineer. Moss was born in Marl and joined the firm in 1970.",
}
QUESTIONS = {
    "Which pumps are made in Senning?": ["Kestrel", "Teasel"],
    "Who designed the Kestrel?": ["Tomas Lindgren", "Ada Moss"],
    "When was the Heron designed?": ["1990"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    (folder / "docs").mkdir()
    for title, text in PAGES.items():
        (folder / "docs" / f"{title}.md").write_text(f"# {title}\n\n{text}\n")
    lines = [
        json.dumps({"id": str(number), "question": question, "answers": answers})
        for number, (question, answers) in enumerate(QUESTIONS.items())
    ]
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n")
    make_corpus([folder / "docs"], folder / "text", show_progress=False)
    return folder


def test_documents_and_questions_are_enough(folder):
    done = run(folder / "questions.jsonl", "mentions", corpus=folder / "text", options={"tune": False})
    answers = {prediction.id: set(prediction.answers) for prediction in done}
    assert not any(isinstance(answer, EntityAnswer) for given in answers.values() for answer in given)
    assert {"Kestrel", "Teasel"} <= answers["0"]
    assert answers["1"] == {"Tomas Lindgren", "Ada Moss"}
    assert answers["2"] == {"1990"}, "a question that begins with when asks for dates"
    assert score(folder / "questions.jsonl", done)["F1"].value > 0.8


def test_the_reader_rollcall_reads_without_a_graph(folder):
    pytest.importorskip("rollcall_models", reason="the packaged trees are in rollcall-models")
    options = {"further": 3, "nearest": 0}
    done = run(folder / "questions.jsonl", "rollcall", corpus=folder / "text", options=options)
    assert set(next(iter(done)).answers) == {"Kestrel", "Teasel"}


def test_a_run_without_a_graph_is_not_continued_with_one(folder, tmp_path):
    pytest.importorskip("rollcall_models", reason="the packaged trees are in rollcall-models")
    lines = ["subject\trelation\tobject", "Kestrel\tmade in\tSenning", "Teasel\tmade in\tSenning"]
    (tmp_path / "facts.tsv").write_text("\n".join(lines) + "\n")
    make_graph([tmp_path / "facts.tsv"], tmp_path / "graph", show_progress=False)
    given = {
        "corpus": folder / "text",
        "out": tmp_path / "run.jsonl",
        "options": {"further": 3, "nearest": 0},
    }
    run(folder / "questions.jsonl", "rollcall", **given)
    with pytest.raises(RollcallError, match=r"different settings .*graph_hash"):
        run(folder / "questions.jsonl", "rollcall", graph=tmp_path / "graph", **given)


def test_names_are_collected_once_and_are_the_same_again(folder, tmp_path):
    first = _names(folder, tmp_path / "one")
    assert first == _names(folder, tmp_path / "one") == _names(folder, tmp_path / "two")
    assert {"Tomas Lindgren", "Senning", "Kestrel", "1974"} <= set(first)


def _names(folder, index):
    with Context(corpus=folder / "text", index=index) as context:
        graph, _ = open_names(context)
        return [graph.label(id_) for id_ in graph.index.entity_ids]


def test_what_needs_a_graph_for_real_says_so(folder):
    for reader in ("ask", "mention-scorer"):
        with pytest.raises(RollcallError, match=r"needs .*a graph.*--graph"):
            run(folder / "questions.jsonl", reader, corpus=folder / "text", options=_options(reader))


def _options(reader):
    return {"model": "none"} if reader == "mention-scorer" else {}


def test_a_reader_without_graph_and_corpus_says_what_would_do(folder):
    with pytest.raises(RollcallError, match=r"a graph or a corpus: give .*--graph or --corpus"):
        run(folder / "questions.jsonl", "mentions", retriever=None)


@pytest.mark.parametrize(
    ("question", "kind"),
    [("Who designed it?", "person"), ("When was it made?", "date"), ("In which year did it open?", "date"),
     ("Where is it?", "place"), ("How many people live there?", "number"), ("Which towns are there?", "any"),
     ("What is the population of Marl?", "number")],
)  # fmt: skip
def test_the_first_words_say_what_is_asked_for(question, kind):
    assert answer_kind(question) == kind


MULTISPAN = {
    "version": 1.0,
    "data": [
        {"id": "q1", "type": "HUM", "structure": "Conjunction", "num_span": 2,
         "question": ["who", "designed", "the", "kestrel"],
         "context": ["The", "Kestrel", "(", "1974", ")", "was", "designed", "by", "A.", "Moss-Hill", "and",
                     "Tomas", "Lindgren", "'s", "son", "."],
         "label": ["O", "O", "O", "O", "O", "O", "O", "O", "B", "I", "O", "B", "I", "I", "I", "O"]},
        {"id": "q2", "question": ["what", "is", "it"], "context": ["Nobody", "knows", "."],
         "label": ["O", "O", "O"]},
    ],
}  # fmt: skip


def test_a_set_with_passages_of_its_own_is_read_and_answered(tmp_path):
    file = tmp_path / "valid.json"
    file.write_text(json.dumps(MULTISPAN))
    first, second = read_questions(file)
    assert first.question == "who designed the kestrel"
    assert [answer.label for answer in first.answers] == ["A. Moss-Hill", "Tomas Lindgren's son"]
    assert first.answers[1].aliases == ["Tomas Lindgren 's son"], "as the published file has it"
    assert (first.kind, first.characteristics, second.answers) == ("Conjunction", {"type": "HUM"}, [])
    corpus = make_corpus([file], tmp_path / "text", show_progress=False)
    assert corpus.text("q1") == "The Kestrel (1974) was designed by A. Moss-Hill and Tomas Lindgren's son."
    done = run(file, "mentions", retriever="own", corpus=tmp_path / "text", limit=1, keep_passages=True)
    (prediction,) = done
    assert [passage.id for passage in prediction.retrieved] == ["q1__0"]
    assert "A. Moss-Hill" in prediction.answers


def test_labels_that_do_not_fit_their_tokens_are_refused(tmp_path):
    record = {**MULTISPAN["data"][0], "label": ["O"]}
    (tmp_path / "bad.json").write_text(json.dumps({"data": [record]}))
    with pytest.raises(RollcallError, match="the question q1 has 1 labels for the 16 tokens"):
        list(read_questions(tmp_path / "bad.json"))


def test_labels_of_another_kind_are_refused(tmp_path):
    record = {**MULTISPAN["data"][1], "label": ["O", "ANSWER", "O"]}
    (tmp_path / "bad.json").write_text(json.dumps({"data": [record]}))
    with pytest.raises(
        RollcallError, match="the question q2 has the label 'ANSWER'; expected one of B, I, O"
    ):
        list(read_questions(tmp_path / "bad.json"))


def test_own_passages_of_another_corpus_are_refused(folder):
    with pytest.raises(RollcallError, match="no page with the id of the question 0"):
        run(folder / "questions.jsonl", "mentions", retriever="own", corpus=folder / "text")
