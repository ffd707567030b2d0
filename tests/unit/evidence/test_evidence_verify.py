"""Verifiers by model, and the command that scores labelled triples."""

import gzip
import json

import numpy as np
import pytest

from model_server import ModelServer
from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.evidence import CandidateSentence, Verifier, make_verifier
from rollcall.evidence.labelled import (
    Triple,
    average_precision,
    calibration_error,
    figures_at,
    figures_of,
    read_triples,
    to_candidates,
)
from rollcall.evidence.verifiers.verifier import Hypotheses
from rollcall.graph import EntityRecord, Graph, write_graph

TRIPLES = [
    {
        "text": "He was young. Ann Marl was born in Norrow.",
        "subject": "Ann Marl",
        "relation": "P19",
        "object": "Norrow",
        "label": True,
    },
    {
        "text": "Ann Marl never saw Norrow.",
        "subject": "Ann Marl",
        "relation": "P19",
        "object": "Norrow",
        "label": False,
    },
    {"text": "The film is 90 minutes long.", "subject": "Rain", "relation": "P2047", "object": "90[Q7727]"},
]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "triples.jsonl"
    path.write_text("".join(json.dumps(triple) + "\n" for triple in TRIPLES))
    return path


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return ended.value.code, *capsys.readouterr()


def test_triples_become_candidates(file):
    first, _second, third = to_candidates(read_triples(file))
    assert first.text == "Ann Marl was born in Norrow."
    assert first.before == "He was young."
    assert [first.text[a:b] for a, b in first.subject_places] == ["Ann Marl"]
    assert [first.text[a:b] for a, b in first.object_places] == ["Norrow"]
    assert third.literal
    assert [third.text[a:b] for a, b in third.object_places] == ["90 minutes"]


def test_a_thing_without_a_label_is_found_by_its_aliases(file, tmp_path):
    graph = write_graph(tmp_path / "graph", entities=[EntityRecord("a", aliases=("Ann Marl", "Annie"))])
    triple = Triple("Annie was born in Norrow.", "Ann Marl", "P19", "Norrow")
    (candidate,) = to_candidates([triple], Graph.open(graph))
    assert [candidate.text[a:b] for a, b in candidate.subject_places] == ["Annie"]


def test_the_hypothesis_has_the_relations_direction():
    words = Hypotheses(labels={"Q-made-up": "chief ally"})
    born = CandidateSentence("s", "P19", "o", "…", subject_name="Ann Marl", object_name="Norrow")
    assert words.of(born) == "Ann Marl was born in Norrow."
    given = CandidateSentence("s", "P19", "o", "…", hypothesis="Given.")
    assert words.of(given) == "Given."
    other = words.of(CandidateSentence("s", "Q-made-up", "o", "…", subject_name="Ann", object_name="Ben"))
    assert "ally" in other
    assert "Ann" in other
    assert "Ben" in other


def test_figures_at_thresholds():
    scores, labels = np.array([0.9, 0.6, 0.4, 0.1]), np.array([True, False, True, False])
    half, most = figures_at(scores, labels, (0.5, 0.95))
    assert (half.kept, half.precision, half.recall) == (2, 0.5, 0.5)
    assert (half.false_removed, half.true_lost) == (0.5, 0.5)
    assert (most.kept, most.precision, most.recall, most.false_removed) == (0, None, 0.0, 1.0)
    own = figures_of(np.array([True, False, False, False]), labels)
    assert (own.threshold, own.kept, own.precision, own.true_lost) == (None, 1, 1.0, 0.5)


def test_average_precision_by_hand():
    labels = np.array([True, False, True, False])
    assert average_precision(np.array([0.9, 0.6, 0.4, 0.1]), labels) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision(np.array([0.1, 0.6, 0.9, 0.95]), labels) == pytest.approx((1 / 2 + 2 / 4) / 2)
    # Sentences with the same score are accepted together, in whatever order they are given.
    assert average_precision(np.array([0.9, 0.9, 0.4, 0.4]), labels) == pytest.approx(1 / 2)
    assert average_precision(np.array([0.9, 0.4]), np.array([False, False])) is None


def test_calibration_error_by_hand():
    scores, labels = np.array([0.0, 0.04, 0.1, 0.72, 0.78, 1.0]), np.array([0, 1, 0, 1, 1, 1], bool)
    # Bins: two from 0 (mean 0.02, half true), one from 0.1 (false), two from 0.7 (true), one from 0.9 (true).
    assert calibration_error(scores, labels) == pytest.approx((2 * 0.48 + 0.1 + 2 * 0.25 + 0) / 6)
    assert calibration_error(np.array([0.75] * 4), np.array([1, 1, 1, 0], bool)) == 0
    assert calibration_error(np.zeros(0), np.zeros(0, bool)) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("nonsense\n", "line 1"),
        ('{"text": "a", "subject": "b"}\n', "line 1"),
        ('\n{"text": 1, "subject": "b", "relation": "r", "object": "o", "label": "perhaps"}\n', "line 2"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path, capsys, content, message):
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    code, out, err = run(capsys, "verify", path, "--verifier", "none")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_the_command_prints_figures_and_writes_scores(file, tmp_path, capsys):
    out = tmp_path / "scores.jsonl"
    code, printed, _ = run(capsys, "verify", file, "--verifier", "none", "--out", out)
    assert code == 0
    assert "3 triples, 2 with a label; not verified" in printed
    assert "none itself accepts 2: precision 50.0%, true lost 0.0%" in printed
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["score"] for row in written] == [None, None, 0.0]
    assert [row["text"] for row in written] == [triple["text"] for triple in TRIPLES]


def test_the_command_prints_figures_of_a_verifier_that_judges(file, tmp_path, capsys, monkeypatch):
    (tmp_path / "half.py").write_text(
        "import numpy as np\n"
        "from rollcall.evidence import Verifier\n"
        "class Half(Verifier):\n"
        "    name = 'half'\n"
        "    def scores(self, candidates):\n"
        "        return np.full(len(candidates), 0.75)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    code, printed, _ = run(capsys, "verify", file, "--verifier", "half:Half")
    assert code == 0
    assert "half: 3 triples, 2 with a label; mean score 0.500" in printed
    line = (
        "average precision 50.0%, calibration error 0.250; half itself accepts 2: precision 50.0%, true lost"
    )
    assert f"{line} 0.0%" in printed


def test_scores_replace_a_file_only_if_that_is_wanted(file, tmp_path, capsys):
    out = tmp_path / "scores.jsonl"
    out.write_text("precious")
    code, _, err = run(capsys, "verify", file, "--verifier", "none", "--out", out)
    assert (code, out.read_text()) == (2, "precious")
    assert f"{out}: exists; name another file, or replace it with --force" in err
    code, *_ = run(capsys, "verify", file, "--verifier", "none", "--out", out, "--force")
    assert code == 0
    assert len(out.read_text().splitlines()) == len(TRIPLES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--verifier", "contarst"], "did you mean contrast"),
        ([], "--graph and --corpus"),
        (["--verifier", "llm"], "the verifier llm needs the options base_url and model"),
        (["--verifier", "none", "--explain", "3"], "gives no reasons"),
    ],
)
def test_what_is_missing_is_said(file, capsys, arguments, message):
    code, _, err = run(capsys, "verify", file, *arguments)
    assert code == 2
    assert message in err


def test_a_language_model_says_yes_or_no(file):
    pytest.importorskip("openai", reason="the extra `llm` is not installed")

    def answer(body):
        return "Yes." if "was born in" in body["messages"][-1]["content"].partition("Claim:")[0] else "No."

    candidates = to_candidates(read_triples(file))
    with ModelServer(answer) as server:
        judge = make_verifier("llm", model="tiny", base_url=server.url)
        assert isinstance(judge, Verifier)
        scores = judge.scores(candidates)
    assert scores.tolist() == [1.0, 0.0, 0.0]
    assert judge.accepts(candidates, scores).tolist() == [True, False, False]
    asked = [body["messages"][-1]["content"] for body in server.received]
    assert any("He was young. Ann Marl was born in Norrow." in text for text in asked)
    assert any("Claim: Ann Marl was born in Norrow." in text for text in asked)


def test_a_model_that_says_neither_is_an_error(file):
    pytest.importorskip("openai", reason="the extra `llm` is not installed")
    with ModelServer(lambda body: "Perhaps.") as server:
        judge = make_verifier("llm", model="tiny", base_url=server.url)
        with pytest.raises(RollcallError, match="yes or no"):
            judge.scores(to_candidates(read_triples(file)))


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory):
    """A random entailment model with a vocabulary of a few words, made on the spot."""
    torch = pytest.importorskip("torch", reason="the extra `neural` is not installed")
    transformers = pytest.importorskip("transformers", reason="the extra `neural` is not installed")
    folder = tmp_path_factory.mktemp("model")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "ann", "marl", "was", "born", "in", "norrow", "."]
    (folder / "vocab.txt").write_text("\n".join(words))
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    labels = {0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=64, id2label=labels,
        label2id={name: number for number, name in labels.items()},
    )  # fmt: skip
    model = transformers.BertForSequenceClassification(config)
    model.classifier.bias.data = torch.tensor([0.0, 0.0, 5.0])
    model.save_pretrained(folder)
    return folder


def test_any_entailment_checkpoint_judges_in_batches(tiny_model, file):
    judge = make_verifier("nli", model=str(tiny_model), batch_size=2, longest=40)
    candidates = to_candidates(read_triples(file)) * 3
    scores = judge.scores(candidates)
    # The output called ENTAILMENT is the third one, whose bias is high.
    assert (scores > 0.9).all()
    alone = [judge.scores([candidate])[0] for candidate in candidates]
    assert np.allclose(scores, alone, atol=1e-5)
    assert judge.accepts(candidates, scores).all()


def test_a_model_without_entailment_is_refused(tiny_model, tmp_path):
    from rollcall.evidence.verifiers.models import entailment_index

    assert entailment_index({0: "neutral", 1: "entailment"}, "m") == 1
    with pytest.raises(RollcallError, match="id2label"):
        entailment_index({0: "LABEL_0", 1: "LABEL_1"}, "m")
    with pytest.raises(RollcallError, match="cannot be loaded"):
        make_verifier("nli", model=str(tmp_path / "nothing"))


def test_triples_may_be_compressed(tmp_path):
    line = b'{"text": "A is B.", "subject": "A", "relation": "is", "object": "B"}\n'
    path = tmp_path / "triples.jsonl.gz"
    path.write_bytes(gzip.compress(line * 3))
    assert len(read_triples(path)) == 3
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(RollcallError, match="the compressed file is cut off"):
        read_triples(path)
