"""The packaged model of the learned verifier: what it says of plain sentences, and models that are broken."""

import pickle
import shutil
import sys
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.evidence import CandidateSentence, make_verifier
from rollcall.evidence.labelled import Triple, to_candidates
from rollcall.evidence.verifiers.learned.learning import exchanged
from rollcall.evidence.verifiers.learned.verifier import StatementModel, VerifierInput


def candidate(text: str, subject: str, relation: str, object_: str) -> CandidateSentence:
    return to_candidates([Triple(text, subject, relation, object_)])[0]


@pytest.fixture(scope="module")
def verifier(packaged_model):
    """The model alone, without a graph and a corpus."""
    return make_verifier("learned")


BORN = ("Ann Marl was born in Norrow.", "Ann Marl", "Norrow")
FILM = ("Rain over Tell is a 1987 film directed by Mara Quint.", "Rain over Tell", "Mara Quint")
BOOK = ("The Long Field is a novel by Ivo Brandt, published in 1954.", "The Long Field", "Ivo Brandt")


@pytest.mark.parametrize(
    ("sentence", "stated", "others"),
    [
        (BORN, "P19", ("P20", "P69")),
        (BORN, "place of birth", ("place of death", "educated at")),
        (FILM, "P57", ("P161", "P136")),
        (BOOK, "P50", ("P57", "P26")),
    ],
)
def test_the_relation_that_a_sentence_states_scores_highest(verifier, sentence, stated, others):
    text, subject, object_ = sentence
    right, *wrong = verifier.scores([candidate(text, subject, name, object_) for name in (stated, *others)])
    turned = verifier.scores([exchanged(candidate(text, subject, stated, object_))])[0]
    assert right > 0.8
    assert max(*wrong, turned) < 0.2


def test_a_sentence_that_only_names_both_ends_scores_low(verifier):
    text = "Ann Marl never saw Norrow."
    assert verifier.scores([candidate(text, "Ann Marl", "P19", "Norrow")])[0] < 0.3


def test_a_score_does_not_depend_on_what_else_is_judged(verifier):
    every = [
        candidate(text, subject, relation, object_)
        for text, subject, object_ in (BORN, FILM, BOOK)
        for relation in ("P19", "P57", "P50")
    ]
    scores = verifier.scores(every).tolist()
    assert [verifier.scores([one])[0] for one in every] == scores
    assert verifier.scores(every[::-1]).tolist() == scores[::-1]
    assert verifier.scores([*every, *every]).tolist() == scores * 2
    assert verifier.scores([]).tolist() == []


def test_a_worker_process_judges_in_the_same_way(verifier):
    one = candidate(*BORN[:2], "P19", BORN[2])
    fresh = pickle.loads(pickle.dumps(verifier))
    assert fresh.scores([one]).tolist() == verifier.scores([one]).tolist()
    assert fresh.threshold == verifier.threshold
    assert len(pickle.dumps(verifier)) < 100_000, "the weights are read from the folder, not sent"


@pytest.mark.parametrize(
    "reading",
    [
        VerifierInput("", ""),
        VerifierInput("place of birth", "word " * 5000),
        VerifierInput("place of birth", "長" * 5000),
        VerifierInput("\0", "\ud7ff\u200b"),
    ],
    ids=["empty", "long", "without spaces", "odd characters"],
)
def test_any_text_can_be_judged(packaged_model, reading):
    assert abs(StatementModel(packaged_model).logits([reading])[0]) < 100


def test_a_relation_with_a_very_long_label_can_be_judged(verifier):
    (score,) = verifier.scores([candidate(*BORN[:2], "has lived in or near " * 200, BORN[2])])
    assert 0 <= score <= 1


@pytest.fixture
def copied(packaged_model, tmp_path):
    """A copy of the model that may be damaged."""
    return Path(shutil.copytree(packaged_model, tmp_path / "model"))


def damage(folder: Path, name: str, content: bytes | None) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)


@pytest.mark.parametrize("content", [None, b"nonsense", b""], ids=["missing", "nonsense", "empty"])
@pytest.mark.parametrize("name", ["card.json", "model.onnx", "tokenizer.json", "embeddings.bin"])
def test_a_broken_model_is_one_clear_line(copied, name, content):
    damage(copied, name, content)
    with pytest.raises(RollcallError) as raised:
        make_verifier("learned", model=str(copied)).scores([candidate(*BORN[:2], "P19", BORN[2])])
    assert str(copied) in str(raised.value)
    assert "\n" not in str(raised.value).strip()


@pytest.mark.parametrize("content", [b'{"constant": 1}', b'{"constant": "\xff"}', b"[]"])
def test_a_card_that_says_something_else_is_refused(copied, content):
    damage(copied, "card.json", content)
    with pytest.raises(RollcallError, match="is not a model of the learned verifier"):
        make_verifier("learned", model=str(copied))


def test_a_folder_that_does_not_exist_is_one_clear_line(tmp_path, capsys):
    file = tmp_path / "triples.jsonl"
    file.write_text('{"text": "A is B.", "subject": "A", "relation": "is", "object": "B"}\n')
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(file), "--verifier", "learned", "--model", str(tmp_path / "nowhere")])
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert "nowhere: is not a model of the learned verifier" in err
    assert err.count("\n") == 1


def test_without_the_package_the_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "rollcall_models", None)
    with pytest.raises(RollcallError, match="pip install rollcall-models; or choose contrast"):
        make_verifier("learned")


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_without_a_library_the_line_says_what_to_install(packaged_model, monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(RollcallError, match="pip install rollcall-models"):
        make_verifier("learned").scores([candidate(*BORN[:2], "P19", BORN[2])])
