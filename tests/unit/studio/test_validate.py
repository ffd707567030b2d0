"""Validation: what people are shown, which answers are wrong on purpose, and that nothing gives them away."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random

import msgspec
import pytest

from rollcall import RollcallError
from rollcall.corpus import Corpus, make_corpus
from rollcall.graph import Graph, make_graph
from rollcall.query import Query
from rollcall.questions import Answer, Evidence, Question, QuestionSet
from rollcall.studio.records import Item, Verdict
from rollcall.studio.tasks import TASKS, find_task
from rollcall.studio.tasks.injection import OtherRoles
from rollcall.studio.tasks.shown import PassageTexts, parts, shown_passages
from rollcall.studio.tasks.task import TaskMaterial
from rollcall.studio.tasks.validate import Validate, ValidateSettings
from studio_lives import PLACES, life_facts, life_name, life_pages, lives

VALIDATE = Validate()


def made(questions: QuestionSet | None = None, **settings: object) -> list[Item]:
    material = TaskMaterial(questions or lives())
    return VALIDATE.items(material, msgspec.convert(settings, ValidateSettings))


def test_every_task_is_registered_with_choices_and_a_summary() -> None:
    names = [
        "equivalence", "extend", "judge-pooled", "naturalness", "paraphrase", "screen", "validate", "verify",
        "write",
    ]  # fmt: skip
    assert TASKS.names == names
    for name in names:
        task = find_task(name)
        assert task.name == name
        assert task.title
        assert task.summary.endswith(".")
        assert len({choice.shortcut for choice in task.choices}) == len(task.choices)


def test_every_answer_is_shown_with_its_text_and_a_tenth_is_injected() -> None:
    questions = lives()
    items = made(questions)
    right = [item for item in items if not item.injected]
    assert len(right) == sum(len(question.answers) for question in questions)
    assert abs(len(items) * 0.1 - (len(items) - len(right))) <= 1
    assert [item.order for item in items] == list(range(len(items)))
    assert len({item.key for item in items}) == len(items)
    assert all(item.shown["passages"] for item in items)


def births(people: int = 240) -> QuestionSet:
    """The questions of one relation: here nobody has another role."""
    return QuestionSet(one for one in lives(people) if one.id.startswith("P19"))


@pytest.mark.parametrize(("kept", "how"), [(lives, "other role"), (births, "other entity")])
def test_injected_answers_are_wrong_and_their_text_does_not_state_them(
    kept: Callable[[], QuestionSet], how: str
) -> None:
    questions = {question.id: question for question in lives()}
    wrong = [item for item in made(kept()) if item.injected]
    assert {item.hidden["source"]["how"] for item in wrong} == {how}  # type: ignore[index]
    for item in wrong:
        question = questions[item.question]
        assert item.shown["answer"] not in {answer.label for answer in question.answers}
        relation, place = question.id.split("-")
        facts = {
            piece.fact
            for other in questions.values()
            for answer in other.answers
            if answer.label == item.shown["answer"]
            for piece in answer.evidence
        }
        assert not any(fact and fact.endswith(f" {relation} {place}") for fact in facts)


def test_pages_lend_texts_that_name_what_the_question_names_in_another_role(tmp_path: Path) -> None:
    """Every question is asked alone, so that only graph and pages can show who was there in another role."""
    people = 60
    rows = [
        f"H{one}\t{relation}\t{place}"
        for one, told in life_facts(people).items()
        for relation, place in told.items()
    ]
    (tmp_path / "facts.tsv").write_text("\n".join(["subject\trelation\tobject", *rows]), encoding="utf-8")
    entities = [{"id": f"H{one}", "label": life_name(one), "types": ["human"]} for one in range(people)]
    places = [{"id": place, "label": place, "types": ["town"]} for place in PLACES]
    for name, records in (("entities.jsonl", [*entities, *places]), ("pages.jsonl", life_pages(people))):
        (tmp_path / name).write_bytes(b"\n".join(map(msgspec.json.encode, records)))
    make_graph([tmp_path / "facts.tsv", tmp_path / "entities.jsonl"], tmp_path / "graph", jobs=1)
    make_corpus([tmp_path / "pages.jsonl"], tmp_path / "corpus", graph=tmp_path / "graph", jobs=1)
    graph, corpus = Graph.open(tmp_path / "graph"), Corpus.open(tmp_path / "corpus")
    settings = ValidateSettings(injected=0.3, minimum=2)
    found = []
    for question in births(people):
        alone = TaskMaterial(QuestionSet([question]), graph=graph, corpus=corpus)
        found += [(question, item) for item in VALIDATE.items(alone, settings) if item.injected]
    assert len(found) > 10
    for question, item in found:
        place = question.id.removeprefix("P19-")
        assert item.hidden["source"] == {"how": "other role"}
        assert place in _marked(item)
        assert "was born in" not in _marked(item)
        assert item.shown["answer"] not in {answer.label for answer in question.answers}


def test_relations_that_say_nearly_the_same_are_no_other_role(tmp_path: Path) -> None:
    facts = [f"H{one}\t{relation}\tOrim" for one in range(9) for relation in ("born", "birthplace")]
    facts += ["H20\tbirthplace\tOrim", "H21\tdied\tOrim", *(f"H{one}\tdied\tVell" for one in range(30, 39))]
    (tmp_path / "facts.tsv").write_text("\n".join(["subject\trelation\tobject", *facts]), encoding="utf-8")
    pages = [
        {"id": f"p{one}", "title": f"H{one}", "entity": f"H{one}", "text": f"H{one} was in Orim."}
        for one in (20, 21)
    ]
    (tmp_path / "pages.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, pages)))
    make_graph([tmp_path / "facts.tsv"], tmp_path / "graph", jobs=1)
    make_corpus([tmp_path / "pages.jsonl"], tmp_path / "corpus", graph=tmp_path / "graph", jobs=1)
    roles = OtherRoles(Graph.open(tmp_path / "graph"), Corpus.open(tmp_path / "corpus"))
    like = Answer("H1", "H1", evidence=[Evidence("H1 was born in Orim.", fact="H1 born Orim")])
    found = roles.answers(Query.parse("?x born Orim"), like, {f"H{one}" for one in range(9)}, Random(1))
    assert [(one.id, one.evidence[0].text) for one in found] == [("H21", "H21 was in Orim.")]


def test_what_is_shown_never_says_which_items_are_injected() -> None:
    items = made()
    shapes = {
        injected: {_shape(item.shown) for item in items if item.injected is injected}
        for injected in (True, False)
    }
    assert shapes[True] == shapes[False]
    for item in items:
        told = msgspec.json.encode(item.shown).decode()
        assert "fact" not in told
        assert "score" not in told
        assert "H1" not in told
        assert "injected" not in told
        assert "expected" not in told


def test_no_feature_that_one_sees_without_reading_tells_injected_items() -> None:
    items = made(lives(600), seed=5)
    features = {
        "length of the text": lambda item: len(_marked(item)),
        "length of the name": lambda item: len(str(item.shown["answer"])),
        "other names": lambda item: len(item.shown["aliases"]),  # type: ignore[arg-type]
        "passages": lambda item: len(item.shown["passages"]),  # type: ignore[arg-type]
        "place in the queue": lambda item: item.order,
        "key": lambda item: int(item.key, 16),
        "name in the title": lambda item: item.shown["passages"][0]["title"] == item.shown["answer"],  # type: ignore[index]
    }
    for name, feature in features.items():
        one = [feature(item) for item in items if item.injected]
        two = [feature(item) for item in items if not item.injected]
        above = sum((a > b) + 0.5 * (a == b) for a, b in product(one, two)) / (len(one) * len(two))
        assert 0.4 < above < 0.6, name


def test_injected_answers_are_spread_like_any_other_draw() -> None:
    items = made(lives(600), seed=5)
    counts = Counter(item.question for item in items if item.injected)
    assert len(set(counts.values())) > 2  # not one in each question
    evidence = [(item.hidden["answer"]["label"], _marked(item)) for item in items if item.injected]  # type: ignore[index]
    assert len(set(evidence)) == len(evidence)  # no text is lent twice


def test_texts_are_lent_by_questions_that_people_do_not_see_if_there_are_any() -> None:
    items = made(births(), splits=["test"])
    sources = [item.hidden["source"] for item in items if item.injected]
    lenders = {one["question"] for one in sources if one["how"] == "other entity"}  # type: ignore[index]
    judged = {item.question for item in items}
    assert lenders
    assert lenders.isdisjoint(judged)


def test_the_same_seed_gives_the_same_items_and_another_gives_others() -> None:
    assert made(seed=3) == made(seed=3)
    assert made(seed=3) != made(seed=4)


def test_who_says_stated_or_nothing_at_all_misses_an_injected_item() -> None:
    items = made()
    wrong = next(item for item in items if item.injected)
    assert VALIDATE.missed(wrong, Verdict("stated")) is True
    assert VALIDATE.missed(wrong, Verdict("unclear")) is True
    assert VALIDATE.missed(wrong, Verdict("not-stated")) is False
    right = next(item for item in items if not item.injected)
    assert VALIDATE.missed(right, Verdict("not-stated")) is None


def test_questions_beyond_the_quota_wait_in_the_pool_with_injected_items_of_their_own() -> None:
    items = made(quota=10)
    active = {item.question for item in items if not item.pool}
    assert len(active) == 10
    waiting = {item.question for item in items if item.pool}
    assert active.isdisjoint(waiting)
    assert len(waiting) == 14
    assert any(item.injected for item in items if item.pool)


def test_a_set_without_evidence_says_what_to_do() -> None:
    bare = QuestionSet([Question("q", "Who?", answers=[Answer("A"), Answer("B")])])
    with pytest.raises(RollcallError, match="in the set: 1 question without an answer that has evidence"):
        made(bare)


def test_without_queries_wrong_answers_come_from_questions_that_are_worded_alike() -> None:
    plain = QuestionSet(
        msgspec.structs.replace(
            question,
            query=None,
            provenance={},
            answers=[msgspec.structs.replace(answer, id=None) for answer in question.answers],
        )
        for question in lives()
    )
    wrong = [item for item in made(plain) if item.injected]
    assert wrong
    same = [item for item in wrong if item.hidden["source"]["question"][:3] == item.question[:3]]  # type: ignore[index]
    assert len(same) > len(wrong) / 3


def test_evidence_is_marked_in_its_passage_and_the_answer_in_its_evidence() -> None:
    found = parts("Ana was born in Orim. Ana died in Tarn.", ["Ana died in Tarn."], ["Ana"])
    assert "".join(str(one["text"]) for one in found) == "Ana was born in Orim. Ana died in Tarn."
    assert [one["text"] for one in found if one["mark"]] == ["Ana", " died in Tarn."]
    assert [one["text"] for one in found if one["name"]] == ["Ana", "Ana"]


def test_two_sentences_of_one_passage_are_one_passage() -> None:
    evidence = [Evidence("A.", "p__0", "T"), Evidence("B.", "p__0", "T")]
    texts = PassageTexts(None)
    assert len(shown_passages(evidence, [], texts)) == 2  # without a corpus, each sentence stands alone
    texts.around = lambda piece: "A. B."  # type: ignore[method-assign]
    (only,) = shown_passages(evidence, [], texts)
    assert [one["text"] for one in only["parts"] if one["mark"]] == ["A.", "B."]  # type: ignore[attr-defined]


def test_an_address_that_runs_something_is_not_shown() -> None:
    evidence = [Evidence("A.", title="T", url="javascript:alert(1)")]
    assert shown_passages(evidence, [], PassageTexts(None))[0]["url"] == ""


def test_verdicts_come_from_forms_and_bad_forms_are_refused() -> None:
    item = made()[0]
    assert VALIDATE.parse(item, {"choice": "stated", "comment": " ok\x1b "}) == Verdict("stated", {}, "ok")
    for form in ({}, {"choice": "maybe"}, {"choice": ""}):
        with pytest.raises(RollcallError, match="no verdict was chosen"):
            VALIDATE.parse(item, form)
    with pytest.raises(RollcallError, match="the comment has 4,001 characters"):
        VALIDATE.parse(item, {"choice": "stated", "comment": "x" * 4001})


def _shape(value: object) -> str:
    if isinstance(value, dict):
        return str(sorted((key, _shape(inner)) for key, inner in value.items() if key != "aliases"))
    if isinstance(value, list):
        return str({_shape(inner) for inner in value})
    return type(value).__name__


def _marked(item: Item) -> str:
    return "".join(
        part["text"]
        for passage in item.shown["passages"]  # type: ignore[attr-defined]
        for part in passage["parts"]
        if part["mark"]
    )
