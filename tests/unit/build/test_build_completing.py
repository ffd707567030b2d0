"""Answers that text states and the graph lacks: some films whose directors only their pages name."""

import json
import shutil
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.build import build
from rollcall.build.stage import NoQuestionsError
from rollcall.corpus import make_corpus
from rollcall.graph import make_graph
from rollcall.query import Query
from rollcall.questions import QuestionSet

DIRECTORS, FILMS = 12, 6
HIDDEN = 5
"""The film of each director whose director the graph does not say; text does."""
SETTINGS = ("answers.least=3", "evidence.verifier=stating_verifier:Stating", "tables.use=false")
ANSWERS = ("intersection.per_pair=1", "simple.directions=[subject]", "split.test_share=0")


def film(director: int, number: int) -> str:
    return f"F{director}x{number}"


def title(director: int, number: int) -> str:
    first = [
        "Amber",
        "Birch",
        "Cedar",
        "Dusk",
        "Ember",
        "Frost",
        "Grove",
        "Haven",
        "Iris",
        "Jade",
        "Kelp",
        "Lark",
    ]
    second = ["Harbour", "Meadow", "Lantern", "Orchard", "Compass", "Bridge"]
    return f"{first[director]} {second[number]}"


def person(number: int) -> str:
    first = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Jon", "Kim", "Lea"]
    last = ["Arden", "Brill", "Corve", "Dorn", "Elm", "Fisk", "Gorm", "Hask", "Ilver", "Jorn", "Kest", "Lorn"]
    return f"{first[number]} {last[number]}"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A graph and a corpus: each film has a page that names its director, and one who only praised it."""
    folder = tmp_path_factory.mktemp("films")
    pairs = [(director, number) for director in range(DIRECTORS) for number in range(FILMS)]
    facts = [(film(*pair), "directed by", f"D{pair[0]}") for pair in pairs if pair[1] != HIDDEN]
    (folder / "facts.tsv").write_text(
        "subject\trelation\tobject\n" + "".join("\t".join(fact) + "\n" for fact in facts)
    )
    entities = [{"id": film(*pair), "label": title(*pair), "types": ["film"]} for pair in pairs]
    entities += [
        {"id": f"D{number}", "label": person(number), "types": ["person"]} for number in range(DIRECTORS)
    ]
    entities.append({"id": "play", "label": "The Long Evening", "types": ["play"]})
    (folder / "entities.jsonl").write_text("".join(json.dumps(row) + "\n" for row in entities))
    pages = []
    for director, number in pairs:
        fan = (director + number + 1) % DIRECTORS
        name = title(director, number)
        text = f"{name} is a film directed by {person(director)}. {person(fan)} praised {name} in a letter."
        pages.append({"title": name, "entity": film(director, number), "text": text})
    play = f"The Long Evening is a play directed by {person(0)}."
    pages.append({"title": "The Long Evening", "entity": "play", "text": play})
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_graph(
        [folder / "facts.tsv", folder / "entities.jsonl"], folder / "graph", jobs=1, show_progress=False
    )
    make_corpus(
        [folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1, show_progress=False
    )
    return folder


def built(inputs: Path, out: Path, *changes: str, jobs: int = 1, after: Path | None = None) -> QuestionSet:
    """A set; with `after`, only the stages that the changes concern are repeated."""
    if after is not None:
        shutil.copytree(after, out)
    return build(
        "qampari",
        graph=inputs / "graph",
        corpus=inputs / "corpus",
        out=out,
        changes=[*SETTINGS, *ANSWERS, *changes],
        jobs=jobs,
    )


@pytest.fixture(scope="module")
def folder(inputs, tmp_path_factory):
    out = tmp_path_factory.mktemp("completed") / "set"
    built(inputs, out)
    return out


@pytest.fixture(scope="module")
def completed(folder):
    return QuestionSet.open(folder)


def directed(questions: QuestionSet):
    """The questions about what one person directed, with the number of the person."""
    for question in questions:
        assert question.query is not None
        if question.kind == "simple":
            (entity,) = Query.parse(question.query.text).entities
            yield int(entity.removeprefix("D")), question


def test_answers_that_only_text_states_count_with_their_sentence(completed):
    asked = dict(directed(completed))
    assert len(asked) == DIRECTORS
    for director, question in asked.items():
        assert {answer.id for answer in question.answers} == {
            film(director, number) for number in range(FILMS)
        }
        (further,) = [answer for answer in question.answers if answer.id == film(director, HIDDEN)]
        assert further.sources == ["text"]
        assert [piece.text for piece in further.evidence] == [
            f"{title(director, HIDDEN)} is a film directed by {person(director)}."
        ]
        assert all(
            answer.sources == ["graph", "text"] for answer in question.answers if answer is not further
        )
        assert question.neutral == []


def test_an_answer_must_be_of_the_class_that_is_asked_for(completed):
    """The page of the play states its director as clearly; the question asks for films."""
    question = dict(directed(completed))[0]
    assert question.query is not None
    assert "film" in question.query.text
    assert "play" not in {answer.id for answer in (*question.answers, *question.neutral)}


def test_the_manifest_counts_what_was_found(completed):
    counts = completed.manifest["stages"]["complete"]["counts"]
    assert counts["further answers that count"] == DIRECTORS
    assert counts["further neutral answers"] == 0
    assert counts["facts judged"] > DIRECTORS
    told = f"{DIRECTORS} further answers from text and lists: {DIRECTORS} count, 0 neutral"
    assert [note for note in completed.manifest["notes"] if note.startswith(told)]


def test_less_certain_answers_are_neutral(inputs, folder, tmp_path):
    """A question with many of them is open, and left out if the recipe says so."""
    for director, question in directed(built(inputs, tmp_path / "set", "completion.counts=1", after=folder)):
        assert film(director, HIDDEN) not in {answer.id for answer in question.answers}
        (further,) = question.neutral
        assert (further.id, further.sources, further.reason) == (
            film(director, HIDDEN),
            ["text"],
            "the graph lacks it",
        )
        assert "directed by" in further.evidence[0].text
    with pytest.raises(NoQuestionsError, match=r"open: .*completion\.open"):
        built(inputs, tmp_path / "set", "completion.counts=1", "completion.open=1")


def test_without_the_search_only_the_graph_gives_answers(inputs, folder, tmp_path):
    questions = built(inputs, tmp_path / "set", "completion.use=false", after=folder)
    assert "complete" not in questions.manifest["stages"]
    for director, question in directed(questions):
        assert film(director, HIDDEN) not in {answer.id for answer in (*question.answers, *question.neutral)}


def test_a_verifier_without_scores_finds_nothing_and_says_so(inputs, tmp_path):
    questions = built(inputs, tmp_path / "set", "evidence.verifier=none")
    assert questions.manifest["stages"]["complete"]["counts"]["facts judged"] == 0
    assert [note for note in questions.manifest["notes"] if "no further answers were searched for" in note]


def test_the_set_is_the_same_with_several_processes(inputs, folder, tmp_path):
    built(inputs, tmp_path / "set", jobs=2)
    assert (tmp_path / "set" / "questions.jsonl").read_bytes() == (folder / "questions.jsonl").read_bytes()


def test_questions_with_too_many_possible_answers_are_left_out(inputs, folder, tmp_path):
    with pytest.raises(NoQuestionsError, match=r"more possible answers in text.*completion\.most"):
        built(inputs, tmp_path / "set", "completion.most=1", after=folder)


def test_thresholds_in_the_wrong_order_are_refused(inputs, tmp_path):
    with pytest.raises(RollcallError, match=r"completion\.neutral 0\.9 is above completion\.counts 0\.8"):
        built(inputs, tmp_path / "set", "completion.neutral=0.9")
