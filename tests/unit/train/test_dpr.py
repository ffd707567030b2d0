"""A dense retriever learns which passages prove answers, and `dense` opens what was trained."""

import json

import numpy as np
import pytest

from rollcall import RollcallError, train
from rollcall.corpus import make_corpus
from rollcall.graph import EntityRecord, write_graph
from rollcall.questions import Answer
from rollcall.systems import Asked, Context, open_retriever
from rollcall.systems.retrieve.encoder import Encoder, fingerprint
from rollcall.systems.train.base import load_base
from rollcall.systems.train.dpr import Dpr, DprOptions, draw, left_out, mean_figures, pool_of
from rollcall.systems.train.loop import Training
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample, write_examples
from tiny_checkpoints import tiny_encoder

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")
pytest.importorskip("sentence_transformers", reason="training needs the extra `neural`")

CITIES = 12


def example(number: int) -> TrainingExample:
    """A question whose words are in none of its passages: what belongs together must be learned."""
    other = (number + 5) % CITIES
    return TrainingExample(
        f"q{number}",
        f"who lives in town{number} ?",
        answers=[Answer(f"ann{number}"), Answer(f"bob{number}")],
        passages=[
            LabelledPassage(f"w{other}", f"Page {other}", f"the weather of city{other} is mild"),
            LabelledPassage(
                f"a{number}", f"Ann{number}", f"a house of city{number} is hers", proves={0: 1.0}, names=[0]
            ),
            LabelledPassage(f"n{number}", "Names", f"ann{number} sings", names=[0]),
        ],
        proofs=[
            LabelledPassage(f"b{number}", f"Bob{number}", f"city{number} is his", proves={1: 0.5}, names=[1])
        ],
    )


EXERCISES = [example(number) for number in range(CITIES)]
TEXTS = [
    text
    for one in EXERCISES
    for text in (one.question, *(f"{each.title} {each.text}" for each in (*one.passages, *one.proofs)))
]
FAST = {"batch": 12, "learning_rate": 5e-3, "length": 32, "positives": 2}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("models") / "tiny", TEXTS)


def started(tiny: str, **options: object) -> Dpr:
    return Dpr.start(DprOptions(**{**FAST, **options}), load_base(tiny, ("encoder",), "dpr"))


def gradient(system: Dpr, items, parts) -> list[float]:
    system.network.zero_grad()
    system.backward(items, parts)
    return [
        value
        for one in system.network.parameters()
        if one.grad is not None
        for value in one.grad.flatten().tolist()
    ]


@pytest.mark.parametrize("options", [{}, {"shared": False}])
def test_it_learns_which_passages_prove_answers(tiny, tmp_path, options):
    chosen = {**FAST, "epochs": 30, "evaluate": 20, **options}
    system = started(tiny, **chosen)
    before = system.evaluate(EXERCISES)
    place = Training(system, DprOptions(**chosen), EXERCISES, EXERCISES, tmp_path, "", show=False).run()
    after = system.evaluate(EXERCISES)
    assert before["MAP"] < 0.6
    assert after["MAP"] == pytest.approx(1.0)
    assert after["recall@20"] == pytest.approx(1.0)
    assert place.loss < 1.0


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_caching_gives_the_gradient_of_the_whole_step(tiny, dropout):
    """Parts are compared with the passages of all parts, and are encoded twice with the same dropout."""
    system = started(tiny)
    system.network.train()
    for module in system.network.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = dropout
    items = system.encode_examples(EXERCISES[:6], 0)
    parts = [[3, 1, 0, 7], [2, 8, 4], [5, 6, 9, 10, 11]]  # of two positives for each question
    torch.manual_seed(3)
    cached = gradient(system, items, parts)
    if dropout:
        # The same graph at once: each part encoded with the random numbers that it had.
        torch.manual_seed(3)
        assert gradient(system, items, parts) == cached
        encoders = system._encoders
        whole = encoders.backward

        def at_once(parts, rows, encode, loss_of):
            vectors = encoders._placed(parts, [encode(part) for part in parts], rows)
            loss = loss_of(vectors)
            loss.backward()
            return float(loss.detach())

        encoders.backward = at_once
        torch.manual_seed(3)
        assert gradient(system, items, parts) == pytest.approx(cached, abs=1e-5)
        encoders.backward = whole
    else:
        assert gradient(system, items, [list(range(12))]) == pytest.approx(cached, abs=1e-5)


def test_caching_in_mixed_precision_reaches_the_weights(tiny):
    """Weights that were rounded in the pass without a graph must not be used in the one with it."""
    system = started(tiny)
    items = system.encode_examples(EXERCISES[:4], 0)
    with torch.autocast("cpu", torch.bfloat16):
        mixed = gradient(system, items, [[0, 1, 2, 3], [4, 5, 6, 7]])
    exact = gradient(system, items, [[0, 1, 2, 3], [4, 5, 6, 7]])
    assert len(mixed) == len(exact)
    assert np.corrcoef(mixed, exact)[0, 1] > 0.9


def test_each_process_adds_its_share(tiny, monkeypatch):
    """Two processes, each with its own parts and the vectors of both, together give the whole gradient."""
    system = started(tiny)
    system.network.eval()
    items = system.encode_examples(EXERCISES[:4], 0)
    whole = gradient(system, items, [list(range(8))])
    shares = [[[0, 5, 2]], [[1, 3], [4, 6, 7]]]
    with torch.no_grad():
        vectors = []
        for parts in shares:
            seen = []
            monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
            monkeypatch.setattr(torch.distributed, "all_reduce", lambda given, seen=seen: seen.append(given))
            with torch.enable_grad():
                gradient(system, items, parts)
            vectors.append(seen[0].detach().clone())
    total, losses = np.zeros(len(whole)), []
    for parts, others in zip(shares, reversed(vectors), strict=True):
        monkeypatch.setattr(torch.distributed, "all_reduce", lambda given, others=others: given.add_(others))
        system.network.zero_grad()
        losses.append(float(system.backward(items, parts)))
        total += [
            value
            for one in system.network.parameters()
            if one.grad is not None
            for value in one.grad.flatten().tolist()
        ]
    assert total.tolist() == pytest.approx(whole, abs=1e-5)
    monkeypatch.undo()
    assert sum(losses) == pytest.approx(float(system.backward(items, [list(range(8))])), abs=1e-5)


def test_a_process_that_has_the_whole_step_still_exchanges_vectors(tiny, monkeypatch):
    """The others, which have nothing of a small step, wait for it."""
    system, exchanged = started(tiny), []
    items = system.encode_examples(EXERCISES[:2], 0)
    monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.distributed, "all_reduce", exchanged.append)
    system.backward(items, [list(range(len(items)))])
    system.backward(items, [])
    assert [len(one) for one in exchanged] == [len(exchanged[0])] * 2


def test_negatives_name_no_answer_and_prove_nothing(tiny):
    for one in draw(EXERCISES, DprOptions(positives=0, negatives=5), 0):
        assert [bool(passage.proves) for passage in one.passages] == [True, False]
        assert not one.passages[1].names


def test_positives_are_drawn_for_each_epoch_or_all_are_taken():
    one_each = [draw(EXERCISES, DprOptions(positives=1), seed) for seed in range(8)]
    assert {len(drawn) for drawn in one_each} == {CITIES}
    assert {drawn[0].passages[0].id for drawn in one_each} == {"a0", "b0"}
    assert len(draw(EXERCISES, DprOptions(positives=0), 0)) == 2 * CITIES


def test_negatives_come_from_the_best_passages_alone():
    many = TrainingExample(
        "q",
        "who ?",
        passages=[
            LabelledPassage("p", proves={0: 1.0}),
            *(LabelledPassage(str(number)) for number in range(50)),
        ],
    )
    drawn = {
        passage.id
        for seed in range(60)
        for one in draw([many], DprOptions(depth=10), seed)
        for passage in one.passages[1:]
    }
    assert drawn == {str(number) for number in range(10)}


def test_what_proves_or_names_an_answer_of_another_question_is_no_negative_of_it(tiny):
    """Two questions share an answer and a positive; neither passage may count against the other question."""
    shared = LabelledPassage("s", "S", "ann0 is hers", proves={0: 1.0}, names=[0])
    first = TrainingExample("1", "who ?", answers=[Answer("Ann0", "Q1")], passages=[shared])
    own = LabelledPassage("o", "O", "ann0 lives", proves={0: 1.0}, names=[0])
    unlike = LabelledPassage("u", "U", "weather")
    second = TrainingExample(
        "2", "who else ?", answers=[Answer("Ann0", "Q1")], passages=[shared, own, unlike]
    )
    third = TrainingExample(
        "3",
        "what ?",
        answers=[Answer("Bob1", "Q2")],
        passages=[LabelledPassage("t", "T", "bob1", proves={0: 1.0}, names=[0])],
    )
    items = started(tiny, positives=0, negatives=1).encode_examples([first, second, third], 0)
    keys = [passage.key for item in items for passage in item.passages]
    assert keys == ["s", "s", "u", "o", "u", "t"]
    hidden = {(place, keys[number], number) for place, number in left_out(items)}
    assert {(place, number) for place, _, number in hidden} == {
        (0, 1), (0, 3),  # the same passage again, and another with its answer
        (1, 0), (1, 3),
        (2, 0), (2, 1),
    }  # fmt: skip


def test_figures_are_those_of_the_ranks():
    found = mean_figures(EXERCISES[:2], [{"a0": 1, "b0": 4}, {"a1": 21, "b1": 200}])
    assert found["MAP"] == pytest.approx(((1 + 2 / 4) / 2 + (1 / 21 + 2 / 200) / 2) / 2)
    assert found["recall@20"] == pytest.approx(0.5)
    assert found["recall@100"] == pytest.approx(0.75)


def test_everything_that_proves_is_searched(tiny):
    """A proof beyond the passages that are searched would count as lost, whatever the encoder does."""
    assert set(pool_of(EXERCISES[:1], 1)) == {"w5", "a0", "b0"}
    assert started(tiny).evaluate([TrainingExample("q", "who ?")])["MAP"] == 0.0


def examples_folder(folder):
    folder.mkdir()
    write_examples(folder / "train.jsonl.gz", EXERCISES)
    write_examples(folder / "dev.jsonl.gz", EXERCISES[:8])
    about = {"name": "toy", "split": "train", "k": 3, "retriever": {}, "made_from": "", "questions": []}
    (folder / "exercises.json").write_text(json.dumps(about))
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory, tiny):
    """A corpus of the training examples' passages, and a model with one and with two encoders."""
    folder = tmp_path_factory.mktemp("dpr")
    examples = examples_folder(folder / "exercises")
    passages = {each.id: each for one in EXERCISES for each in (*one.passages, *one.proofs)}
    pages = [{"title": each.title, "text": each.text} for each in passages.values()]
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    write_graph(folder / "graph", entities=[EntityRecord("Q1", "Page 1")])
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    for name, options in (
        ("one", {"shared": True}),
        ("two", {"shared": False, "similarity": "dot", "temperature": 1.0, "seed": 1}),
    ):
        train(
            "dpr",
            out=folder / name,
            exercises=examples,
            base=tiny,
            options={**FAST, "epochs": 30, "evaluate": 30, **options},
            progress=False,
        )
    return folder


@pytest.mark.parametrize("name", ["one", "two"])
def test_dense_opens_what_was_trained(made, name):
    pytest.importorskip("faiss", reason="the extra `neural` is not installed")
    asked = [Asked(one.id, one.question) for one in EXERCISES]
    with Context(corpus=made / "corpus", progress=False) as context:
        options = {"encoder": str(made / name), "seen": True}
        for retriever in ("dense", "bm25+dense"):
            found = open_retriever(retriever, context, options).retrieve(asked, 2)
            good = [
                {passage.title for passage in passages} == {f"Ann{number}", f"Bob{number}"}
                for number, passages in enumerate(found)
            ]
            assert np.mean(good) > 0.9, retriever


def test_questions_of_the_training_are_refused(made):
    pytest.importorskip("faiss", reason="the extra `neural` is not installed")
    with Context(corpus=made / "corpus", progress=False) as context:
        retriever = open_retriever("dense", context, {"encoder": str(made / "one")})
        with pytest.raises(RollcallError, match="was trained on 1 of these 1 questions"):
            retriever.retrieve([Asked("q", EXERCISES[0].question)], 2)
        assert retriever.retrieve([Asked("q", "who sings ?")], 2)[0]


def test_a_folder_is_loaded_with_its_own_pooling_and_similarity(made, tiny):
    texts = ["who lives in town3 ?"]
    one = Encoder(str(made / "one")).encode(texts)
    assert np.linalg.norm(one[0]) == pytest.approx(1.0, abs=1e-4)
    two = Encoder(str(made / "two" / "question"))
    assert not two.normalised
    base = load_base(str(made / "two" / "question"), ("encoder",), "dpr")
    words = base.tokeniser(texts, return_tensors="pt")
    with torch.inference_mode():
        plain = base.network.eval()(**words).last_hidden_state[0].mean(0)
    assert two.encode(texts)[0] == pytest.approx(plain.cpu().numpy(), abs=1e-4)


def test_an_index_of_other_weights_is_not_used(made, tmp_path):
    """Two trainings of one checkpoint have files of the same names and sizes."""
    from shutil import copytree

    copytree(made / "one", tmp_path / "other")
    weights = tmp_path / "other" / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert fingerprint(str(made / "one")) != fingerprint(str(tmp_path / "other"))


def test_a_checkpoint_of_dpr_is_trained_further(tiny, tmp_path):
    from transformers import DPRConfig, DPRContextEncoder

    base = load_base(tiny, ("encoder",), "dpr")
    shape = {
        key: getattr(base.network.config, key) for key in ("hidden_size", "num_hidden_layers", "vocab_size")
    }
    context = DPRContextEncoder(DPRConfig(num_attention_heads=2, intermediate_size=32, **shape))
    context.save_pretrained(tmp_path / "context")
    base.tokeniser.save_pretrained(tmp_path / "context")
    system = started(
        str(tiny), shared=False, pooling="cls", similarity="dot", passage_base=str(tmp_path / "context")
    )
    system.network.eval()
    words = base.tokeniser(["city3 is his"], return_tensors="pt")
    with torch.inference_mode():
        expected = context.eval()(**words).pooler_output[0]
        found = system._encoders.encode("passage", words["input_ids"].tolist())[0]
    assert found.tolist() == pytest.approx(expected.tolist(), abs=1e-5)


def test_a_generator_is_no_base(tmp_path):
    from transformers import LlamaConfig, LlamaForCausalLM

    shape = {"vocab_size": 20, "hidden_size": 8, "intermediate_size": 8}
    LlamaForCausalLM(LlamaConfig(num_hidden_layers=1, num_attention_heads=1, **shape)).save_pretrained(
        tmp_path
    )
    with pytest.raises(RollcallError, match="is a causal language model; dpr needs an encoder"):
        load_base(str(tmp_path), Dpr.bases, "dpr")
