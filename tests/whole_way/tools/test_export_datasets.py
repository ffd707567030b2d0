"""Libraries that load datasets read the exported questions, and a folder of them goes to a hub."""

import textwrap
from pathlib import Path

import pytest

from hub_server import HubServer
from rollcall.cli.main import main
from rollcall.questions import QuestionSet
from rollcall.questions.exporting import export
from tools import output_of, python_with

pytestmark = pytest.mark.slow


def test_croissant_is_valid_and_gives_the_questions(asked: QuestionSet, tmp_path: Path):
    python = python_with("mlcroissant")
    export(asked, "croissant", tmp_path / "data")
    script = """
        import mlcroissant
        dataset = mlcroissant.Dataset("data/croissant.json")
        assert not dataset.metadata.ctx.issues.errors, dataset.metadata.ctx.issues.report()
        for one in dataset.records("test"):
            labels = [answer["test/answers/label"].decode() for answer in one["test/answers"]]
            print(one["test/id"].decode(), *labels, sep="|")
    """
    told = output_of([python, "-c", textwrap.dedent(script)], tmp_path)
    assert told.splitlines() == [
        "|".join([one.id, *(answer.label for answer in one.answers)]) for one in asked.of_splits("test")
    ]
    assert "standard" not in told


def test_the_hubs_library_loads_every_split_and_checks_the_sizes(asked: QuestionSet, tmp_path: Path):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    export(asked, "huggingface", tmp_path / "data")
    loaded = datasets.load_dataset(str(tmp_path / "data"), cache_dir=str(tmp_path / "cache"))
    assert {split: len(rows) for split, rows in loaded.items()} == {"train": 4, "dev": 4, "test": 8}
    labels = [answer["label"] for answer in loaded["test"][0]["answers"]]
    assert labels == [answer.label for answer in asked.of_splits("test").questions[0].answers]
    card = tmp_path / "data" / "README.md"
    card.write_text(card.read_text().replace("num_examples: 8", "num_examples: 9"))
    with pytest.raises(Exception, match="SplitInfo"):
        datasets.load_dataset(str(tmp_path / "data"), cache_dir=str(tmp_path / "other"))


def test_the_folder_is_pushed_to_a_hub_with_a_token(asked: QuestionSet, tmp_path: Path):
    python = python_with("huggingface_hub")
    with HubServer() as hub:
        words = ["export", "set", "--format", "huggingface", "-o", "data", "--push", "me/towns"]
        command = [
            python,
            "-c",
            "import sys; from rollcall.cli.main import main; main(sys.argv[1:])",
            *words,
        ]
        told = output_of(
            command,
            tmp_path,
            HF_ENDPOINT=hub.url,
            HF_TOKEN="hf_me",  # noqa: S106
            HF_HUB_OFFLINE="0",
            HF_HUB_DISABLE_XET="1",
        )
        assert f"uploaded to {hub.url}/datasets/me/towns" in told
        assert set(hub.committed) >= {"README.md", "data/test-00000-of-00001.parquet"}
        assert hub.tokens == {"Bearer hf_me"}


def test_without_a_token_nothing_is_written(
    asked: QuestionSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    monkeypatch.setattr(hub, "get_token", lambda: None)
    words = [
        "export",
        str(tmp_path / "set"),
        "--format",
        "huggingface",
        "-o",
        str(tmp_path / "data"),
        "--push",
        "me/x",
    ]
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert "there is no token; set HF_TOKEN" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()
