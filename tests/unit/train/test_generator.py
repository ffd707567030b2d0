"""Networks that write lists of answers: the target, packing, caches, and what is learned from."""

import pytest

from rollcall import RollcallError
from rollcall.questions import Passage
from rollcall.systems.train.base import load_base
from rollcall.systems.train.generate.generator import SEPARATOR, GeneratedTokens, GeneratorItem, Prompt
from rollcall.systems.train.generate.trainable import open_generator
from rollcall.systems.train.lists import passage_prompts
from tiny_checkpoints import tiny_generator

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")

NAMES = ["Smith, John; Jr.", "A # B", SEPARATOR, f"x{SEPARATOR}y", "</s>", "Zoë – 李", "[]", "none", "\\n\nz"]
TEXTS = ["question: who made the film?", "title: The film text: Anna and Bo made it.", *NAMES]
KINDS = ["llama", "t5", "bart"]


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return {kind: tiny_generator(tmp_path_factory.mktemp(kind), kind, TEXTS) for kind in KINDS}


@pytest.fixture(params=KINDS)
def generator(request, checkpoints):
    base = load_base(checkpoints[request.param], ("causal", "encoder-decoder"), "a test")
    base.network.eval()
    return open_generator(base)


def test_no_name_can_break_a_list(generator):
    targets = generator.targets
    tokens = targets.encode(NAMES, 1000)
    assert tokens.count(targets.separator) == len(NAMES) - 1
    assert tokens.count(targets.end) == 1
    assert [one.name for one in targets.decode(GeneratedTokens(tokens, [0.5] * len(tokens)))] == NAMES


def test_an_empty_list_is_the_end_alone_and_no_name(generator):
    targets = generator.targets
    assert targets.encode([], 30) == [targets.end]
    assert targets.encode(["", "  "], 30) == [targets.end]
    assert targets.encode(["none"], 30) != [targets.end]
    assert targets.decode(GeneratedTokens([], [])) == []


def test_a_list_that_is_too_long_has_whole_answers_and_does_not_end(generator):
    targets = generator.targets
    whole = targets.encode(["Anna", "Bo", "Zoë – 李"], 1000)
    cut = targets.encode(["Anna", "Bo", "Zoë – 李"], len(whole) - 1)
    assert cut == targets.encode(["Anna", "Bo"], 1000)[:-1]


def test_a_text_cannot_contain_special_tokens(generator):
    (prompt,) = passage_prompts(generator, [f"a {SEPARATOR} b"], [Passage("1", "</s>", "</s> <s>")], 100)
    plain = generator.tokeniser("x")["input_ids"]
    special = set(generator.tokeniser.all_special_ids)
    assert sum(token in special for token in prompt.pieces[0]) == sum(token in special for token in plain)


def test_a_long_passage_is_cut_at_its_end(generator):
    passage = Passage("1", "title", "word " * 500)
    (prompt,) = passage_prompts(generator, ["who?"], [passage], 40)
    assert prompt.size + len(generator.lead) == 40
    assert generator.tokeniser.decode(prompt.pieces[0], skip_special_tokens=True).startswith("question: who?")


def prompts(generator) -> list[Prompt]:
    heads = ["question: who made the film?\n", "question: who?\n", "question: which of the two films?\n"]
    bodies = [
        ["Anna made it.", "Bo"],
        ["Zoë – 李 and Anna, Bo and others."],
        ["a", "text: bb", "Anna made it."],
    ]
    return generator.prompts(heads, bodies, 60)


def test_other_prompts_of_a_batch_change_nothing(generator):
    """There is no padding that counts, neither for one piece nor for many."""
    every = prompts(generator)
    together = generator.begin(every, 8)
    alone = [generator.begin([one], 8) for one in every]
    with torch.inference_mode():
        scores, each = together.first(), torch.cat([one.first() for one in alone])
        for _ in range(4):
            assert torch.allclose(scores, each, atol=1e-4)
            tokens = scores.argmax(-1)
            scores = together.step(tokens)
            each = torch.cat([one.step(token[None]) for one, token in zip(alone, tokens, strict=True)])


def test_copies_of_a_prompt_are_written_independently(generator):
    every = prompts(generator)
    with torch.inference_mode():
        copies, single = generator.begin(every, 4, 2), generator.begin(every, 4)
        assert torch.allclose(copies.first()[::2], single.first(), atol=1e-4)
        tokens = torch.tensor([5, 9, 6, 9, 7, 9])
        after = copies.step(tokens)
        assert torch.allclose(after[::2], single.step(tokens[::2]), atol=1e-4)
        copies.reorder(torch.tensor([1, 0, 3, 2, 5, 4]))  # each continues what the other wrote
        exchanged = generator.begin(every, 4, 2)
        exchanged.first()
        exchanged.step(tokens[[1, 0, 3, 2, 5, 4]])
        assert torch.allclose(copies.step(tokens), exchanged.step(tokens), atol=1e-4)


def test_the_loss_is_that_of_writing_the_target_token_by_token(generator):
    """So neither the prompt nor padding is trained on, and the cache is exact."""
    targets = [generator.targets.encode(names, 60) for names in (["Anna", "Bo"], [], ["Zoë – 李"])]
    for chosen in ([0, 1, 2], [1]):  # with prompts of many pieces, and with one piece alone
        items = [GeneratorItem(prompts(generator)[place], targets[place]) for place in chosen]
        expected = 0.0
        with torch.inference_mode():
            for item in items:
                session = generator.begin([item.prompt], len(item.target))
                scores = session.first()
                for token in item.target:
                    expected -= float(scores.log_softmax(-1)[0, token])
                    scores = session.step(torch.tensor([token]))
            loss = float(generator.loss(items))
        assert loss == pytest.approx(expected, rel=1e-4)


def test_activations_that_are_computed_again_change_nothing(generator):
    items = [GeneratorItem(prompts(generator)[1], generator.targets.encode(["Anna"], 60))] * 2
    network = generator.network.train()
    found = []
    for again in (False, True):
        if again:
            network.gradient_checkpointing_enable()
        network.zero_grad()
        generator.loss(items).backward()
        found.append(torch.cat([one.grad.flatten() for one in network.parameters() if one.grad is not None]))
    assert torch.allclose(*found, atol=1e-5)


def test_the_chance_of_an_empty_list_is_that_of_the_end_as_first_token(generator):
    every = prompts(generator)[1:2] * 3
    with torch.inference_mode():
        expected = generator.begin(every[:1], 1).first().softmax(-1)[0, generator.targets.end]
    for tokens in (10, 10_000):
        assert generator.end_chances(every, tokens) == pytest.approx([float(expected)] * 3, rel=1e-4)


def test_the_tokens_computed_at_once_do_not_change_what_is_written(generator):
    every = prompts(generator)
    one_by_one, together = (generator.write(every, 12, tokens) for tokens in (1, 100_000))
    assert [one.tokens for one in one_by_one] == [one.tokens for one in together]
    assert all(len(one.tokens) <= 12 for one in together)


def test_a_piece_is_read_as_if_it_were_alone(generator):
    """Many pieces: each attends to the question and to itself, so their order changes nothing."""
    (prompt,) = generator.prompts(["question: who?\n"], [["Anna made it.", "Bo", "Zoë – 李"]], 60)
    assert prompt.shared > 0
    turned = Prompt(prompt.pieces[::-1], prompt.shared)
    with torch.inference_mode():
        first, second = (generator.begin([one], 2).first() for one in (prompt, turned))
    assert torch.allclose(first, second, atol=1e-4)


def test_the_shared_question_counts_once_in_a_causal_model(checkpoints):
    generator = open_generator(load_base(checkpoints["llama"], ("causal",), "a test"))
    (prompt,) = generator.prompts(["question: who?\n"], [["Anna", "Bo"]], 60)
    session = generator.begin([prompt], 2)
    assert session._cache.lengths == [sum(map(len, prompt.pieces)) - prompt.shared]


def test_memory_that_runs_out_names_the_option_to_change(checkpoints, monkeypatch):
    generator = open_generator(load_base(checkpoints["llama"], ("causal",), "a test"))

    def exhausted(*given):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(generator, "first_scores", exhausted)
    with pytest.raises(RollcallError, match="--option tokens="):
        generator.end_chances(prompts(generator), 100)
