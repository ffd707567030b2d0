"""`seq2seq`, `fid` and `closed-book`: what they learn from, that they learn, and beam search."""

from itertools import product

import msgspec
import pytest

from rollcall import RollcallError
from rollcall.questions import Answer
from rollcall.systems import Asked
from rollcall.systems.read import READERS
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import load_base
from rollcall.systems.train.generate.generator import GeneratedTokens, Session
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample
from tiny_checkpoints import tiny_generator
from toy_examples import director_examples, director_texts, saved_examples

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")

from rollcall import train  # noqa: E402
from rollcall.systems.train.generate.generator import beam_search  # noqa: E402
from rollcall.systems.train.loop import Training  # noqa: E402
from rollcall.systems.train.model_folder import ModelDescription, read_about, trained_on, write_about  # noqa: E402

FAST = {
    "batch": 4,
    "output_tokens": 40,
    "evaluate": 1000,
    "weight_decay": 0.0,
}

HOW_LONG = {
    "llama": {"learning_rate": 5e-3, "epochs": 50},
    "t5": {"learning_rate": 1e-2, "epochs": 140},
    "bart": {"learning_rate": 5e-3, "epochs": 120},
}


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return {
        kind: tiny_generator(tmp_path_factory.mktemp(kind), kind, director_texts(), 64)
        for kind in ("llama", "t5", "bart")
    }


def started(system: str, checkpoint: str, **options: object):
    kind = TRAINABLES.find(system)
    return kind.start(kind.Options(**options), load_base(checkpoint, kind.bases, system))


def names(system, item) -> list[str]:
    target = item.target
    return [one.name for one in system.generator.targets.decode(GeneratedTokens(target, [1.0] * len(target)))]


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("system", "kind"),
    [
        ("fid", "llama"),
        pytest.param("fid", "t5", marks=SLOW),
        pytest.param("fid", "bart", marks=SLOW),
        pytest.param("seq2seq", "llama", marks=SLOW),
        pytest.param("seq2seq", "t5", marks=SLOW),
        ("closed-book", "llama"),
        pytest.param("closed-book", "bart", marks=SLOW),
    ],
)
def test_it_learns_a_toy_set_and_reads_it_from_its_folder(checkpoints, tmp_path, system, kind):
    examples = director_examples()
    learner = started(system, checkpoints[kind], **FAST, **HOW_LONG[kind])
    before = float(learner.loss(learner.encode_examples(examples, 0)).detach())
    (tmp_path / "work").mkdir()
    place = Training(learner, learner.options, examples, examples, tmp_path / "work", "", show=False).run()
    assert place.loss < before / 5
    assert place.history[-1]["F1"] == 1.0
    assert place.history[-1]["output ceiling"] == 1.0
    model = tmp_path / "model"
    model.mkdir()
    learner.save(model, examples)
    options = msgspec.to_builtins(learner.options)
    write_about(
        model, ModelDescription(system, "tiny", options, trained_on("toy", "train", ["Who directed Rain?"]))
    )
    reader = READERS.find(system)
    asked = [Asked(one.id, one.question) for one in examples]
    passages = [[passage.passage for passage in one.passages] for one in examples]
    for beams in (1, 3):
        opened = reader.open(reader.Options(str(model), seen=True, beams=beams), None)
        answers = opened.read_many(asked, passages)
        assert [set(one) for one in answers] == [{answer.label for answer in one.answers} for one in examples]
    with pytest.raises(RollcallError, match="was trained on 1 of these 4 questions"):
        reader.open(reader.Options(str(model)), None).read_many(asked, passages)


@pytest.mark.parametrize("system", ["pig", "fid", "seq2seq", "closed-book"])
def test_it_is_trained_by_name_with_options_as_texts(checkpoints, tmp_path, system):
    examples = saved_examples(tmp_path / "exercises", 4, 2)
    few = {"steps": "2", "output_tokens": "8", "compile": "false"}
    base = checkpoints["llama"]
    train(system, exercises=examples, base=base, out=tmp_path / "model", options=few, progress=False)
    about = read_about(tmp_path / "model", system)
    assert about.steps == 2
    assert "F1" in about.history[-1]
    reader = READERS.find(system)
    opened = reader.open(reader.Options(str(tmp_path / "model")), None)
    (answers,) = opened.read_many([Asked("1", "Which films are new?")], [[]])
    assert isinstance(answers, list)


def example() -> TrainingExample:
    return TrainingExample(
        "q",
        "Which?",
        answers=[Answer("C"), Answer("A"), Answer("B"), Answer("A")],
        passages=[
            LabelledPassage("1", "x", "nothing"),
            LabelledPassage("2", "x", "B is one.", None, {2: 1.0}, [2]),
            LabelledPassage("3", "x", "A was there.", None, {}, [1]),
        ],
        proofs=[LabelledPassage("4", "x", "C is one.", None, {0: 1.0}, [0])],
    )


@pytest.mark.parametrize(("order", "expected"), [("passage", ["B", "A", "C"]), ("label", ["A", "B", "C"])])
def test_the_order_of_the_answers_is_an_option(checkpoints, order, expected):
    learner = started("fid", checkpoints["llama"], order=order)
    assert names(learner, learner.encode_examples([example()], 0)[0]) == expected


def test_a_random_order_is_drawn_for_each_epoch_by_the_seed(checkpoints):
    learner = started("fid", checkpoints["llama"], order="random")
    drawn = [tuple(names(learner, learner.encode_examples([example()], seed)[0])) for seed in (*range(20), 0)]
    assert drawn[0] == drawn[-1]
    assert len(set(drawn)) > 2
    assert all(sorted(one) == ["A", "B", "C"] for one in drawn)


def test_evidence_that_was_not_retrieved_takes_the_place_of_the_last_passages(checkpoints):
    def read(**options: object) -> list[str]:
        learner = started("fid", checkpoints["llama"], passages=2, **options)
        (item,) = learner.encode_examples([example()], 0)
        pieces = item.prompt.pieces
        return sorted(learner.generator.tokeniser.decode(one)[-9:] for one in pieces)

    assert read() == [": nothing", "B is one."]
    assert read(proofs=True) == [": nothing", "C is one."]


def test_questions_with_very_many_answers_are_left_out_only_if_asked(checkpoints):
    assert len(started("fid", checkpoints["llama"]).encode_examples([example()], 0)) == 1
    assert started("fid", checkpoints["llama"], most_answers=3).encode_examples([example()], 0) == []


def test_the_recall_that_the_limits_allow_is_reported(checkpoints):
    learner = started("seq2seq", checkpoints["llama"], output_tokens=6, passages=2)
    assert learner.generator.targets.fitting(["C", "A", "B", "A"], 6) == 2
    found = learner.evaluate([example()])
    assert found["output ceiling"] == 0.5
    assert found["passage ceiling"] == 0.25
    assert "passage ceiling" not in started("closed-book", checkpoints["llama"]).evaluate([example()])


def test_closed_book_reads_nothing_and_needs_no_passages(checkpoints):
    assert not TRAINABLES.find("closed-book").uses_passages
    assert READERS.find("closed-book").needs == ()
    learner = started("closed-book", checkpoints["llama"])
    (item,) = learner.encode_examples([example()], 0)
    assert "nothing" not in learner.generator.tokeniser.decode(item.prompt.pieces[0])


def test_checkpointing_is_refused_where_the_passages_would_be_lost(checkpoints):
    with pytest.raises(RollcallError, match="give fewer passages"):
        started("fid", checkpoints["llama"], checkpointing=True)


@pytest.mark.parametrize("system", ["fid", "seq2seq", "closed-book", "pig"])
def test_presets_are_options_of_their_system(system):
    kind = TRAINABLES.find(system)
    assert kind.presets
    for options in kind.presets.values():
        msgspec.convert(dict(options), kind.Options)


class Chain(Session):
    """Writes letters by chances that depend on the last letter alone; 0 is the end."""

    def __init__(self, rows: int) -> None:
        draw = torch.Generator().manual_seed(3)
        self.chances = torch.rand((4, 4), generator=draw).softmax(-1)
        self.rows, self.last = rows, torch.zeros(rows, dtype=torch.long)

    def first(self):
        return self.chances[self.last].log()

    def step(self, tokens):
        self.last = tokens
        return self.chances[self.last].log()

    def reorder(self, rows):
        self.last = self.last[rows]


def test_a_wide_beam_search_finds_the_best_list_of_all():
    def mean(letters: tuple[int, ...]) -> float:
        chain = Chain(1).chances.log()
        total = sum(float(chain[a, b]) for a, b in zip((0, *letters), letters, strict=False))
        return total / len(letters)

    ended = [(*some, 0) for length in range(4) for some in product((1, 2, 3), repeat=length)]
    cut = list(product((1, 2, 3), repeat=4))
    best = max([*ended, *cut], key=lambda some: mean(some) if some[-1] == 0 else mean(some) * 4 / 5)
    (first, second) = beam_search(Chain(400), 0, 200, 4)
    assert first == second
    assert tuple(first.tokens) == tuple(letter for letter in best if letter)
    chain = Chain(1).chances
    steps = zip((0, *first.tokens), first.tokens, strict=False)
    assert first.chances == pytest.approx([float(chain[a, b]) for a, b in steps])
