"""Compiled networks: all layers and all batches share one compilation, and compute the same."""

import pytest

from rollcall.systems.train.base import load_base
from rollcall.systems.train.generate import trainable
from rollcall.systems.train.generate.generator import Generator, Prompt
from rollcall.systems.train.generate.trainable import open_generator
from rollcall.systems.train.networks import compile_layers
from tiny_checkpoints import tiny_generator

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")


@pytest.fixture
def generator(tmp_path, monkeypatch) -> Generator:
    # On a GPU attention is one operator. The loop over sequences that takes its place here is no graph.
    monkeypatch.setattr(trainable, "_one_by_one", masked)
    base = load_base(tiny_generator(tmp_path, "llama", ["some text"]), ("causal",), "a test")
    base.network.eval()
    return open_generator(base)


def masked(query, key, value, ends, dropout, scaling):
    places = torch.arange(query.shape[2])
    sequence = torch.bucketize(places, ends, right=True)
    seen = (sequence[:, None] == sequence) & (places[:, None] >= places)
    found = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=seen, scale=scaling, enable_gqa=True
    )
    return found.transpose(1, 2)


def prompts(*lengths: int) -> list[Prompt]:
    return [Prompt([[3 + (place * 7 + length) % 90 for place in range(length)]]) for length in lengths]


def test_one_compilation_serves_all_layers_and_all_batches(generator):
    from torch._dynamo.utils import counters

    batches = [prompts(5, 6, 7), prompts(9, 9), prompts(30, 3, 3, 3, 8), prompts(70, 100), prompts(12)]
    plain = [generator.end_chances(one, 1000) for one in batches]
    written = generator.write(batches[0], 4, 1000)
    torch._dynamo.reset()
    counters.clear()
    compile_layers(generator.network, backend="eager")
    found = [generator.end_chances(one, 1000) for one in batches]
    assert len(generator.network.model.layers) > 1
    assert counters["stats"]["unique_graphs"] == 1
    assert not counters["graph_break"]
    assert [one for these in found for one in these] == pytest.approx(
        [one for these in plain for one in these], abs=1e-6
    )
    assert generator.write(batches[0], 4, 1000) == written
    assert counters["stats"]["unique_graphs"] == 1  # writing, whose cache grows, is not compiled
