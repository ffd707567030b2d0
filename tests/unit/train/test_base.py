"""Checkpoints by name: what cannot be had is said in one line, at once."""

from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.systems.train import base
from rollcall.systems.train.base import check_base, load_base
from tiny_checkpoints import tiny_encoder, tiny_generator

pytest.importorskip("torch", reason="training needs the extra `neural`")
constants = pytest.importorskip("huggingface_hub.constants", reason="training needs the extra `neural`")


@pytest.mark.parametrize("name", ["nobody/nothing-of-the-kind", "nothing of the kind"])
def test_the_hub_is_asked_once_and_a_failure_is_one_line(monkeypatch, capfd, name):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")  # where nothing answers
    with pytest.raises(RollcallError, match="cannot load a checkpoint from there") as refused:
        check_base(name, ("causal",), "pig")
    assert "\n" not in str(refused.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "name", ["./nowhere", "/nowhere", "../nowhere", "~/nowhere", "no such folder/at/all", "models/gone.gguf"]
)
@pytest.mark.parametrize("ask", [check_base, load_base])
def test_what_is_written_as_a_path_is_not_asked_for_on_the_hub(monkeypatch, name, ask):
    monkeypatch.setattr(base, "_ask_hub", lambda name: pytest.fail(f"the hub was asked for {name}"))
    with pytest.raises(RollcallError) as refused:
        ask(name, ("causal",), "pig")
    told = str(refused.value)
    assert told.startswith(f"{name}: no such folder or file to start from")
    assert ("write the full path" in told) == name.startswith("~")


def test_a_checkpoint_without_a_tokenizer_is_refused(tmp_path):
    folder = Path(tiny_encoder(tmp_path / "bert", ["Who directed Rain?"]))
    for ask in (check_base, load_base):
        ask(str(folder), ("encoder",), "dpr")
    (folder / "tokenizer.json").unlink()  # its settings alone know no word
    for ask in (check_base, load_base):
        with pytest.raises(RollcallError) as refused:
            ask(str(folder), ("encoder",), "dpr")
        assert str(refused.value).startswith(f"{folder}: has no tokenizer; ")
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("ask", [check_base, load_base])
@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_a_file_of_a_checkpoint_is_no_checkpoint(tmp_path, name, ask):
    file = Path(tiny_encoder(tmp_path / "bert", ["Who directed Rain?"])) / name
    with pytest.raises(RollcallError) as refused:
        ask(str(file), ("encoder",), "dpr")
    told = "is a file; a checkpoint is a folder, as transformers saves it, or a .gguf file"
    assert str(refused.value) == f"{file}: {told}"


def test_a_tokenizer_of_bytes_needs_no_vocabulary(tmp_path):
    import transformers

    folder = tiny_generator(tmp_path / "byt5", "t5", ["Who directed Rain?"])
    for file in tmp_path.glob("byt5/*token*"):
        file.unlink()
    transformers.ByT5Tokenizer().save_pretrained(folder)
    assert not (tmp_path / "byt5" / "tokenizer.json").exists()
    check_base(folder, ("encoder-decoder",), "fid")
    assert type(load_base(folder, ("encoder-decoder",), "fid").tokeniser).__name__ == "ByT5Tokenizer"


def test_damaged_weights_are_told_in_one_line(tmp_path):
    import transformers

    shape = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    network = transformers.LlamaForCausalLM(transformers.LlamaConfig(**shape, vocab_size=16))
    network.save_pretrained(tmp_path)
    file = tmp_path / "model.safetensors"
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(RollcallError, match="cannot load a checkpoint from there") as refused:
        load_base(str(tmp_path), ("causal",), "pig")
    assert str(tmp_path) in str(refused.value)
