"""The kernel for short sequences, on machines that have a GPU."""

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")
if not torch.cuda.is_available():
    pytest.skip("the kernel is for GPUs", allow_module_level=True)
short_attention = pytest.importorskip("rollcall.systems.train.generate.short_attention")


@pytest.mark.parametrize(("heads", "shared", "size"), [(9, 3, 64), (4, 1, 32), (8, 8, 128)])
def test_it_computes_what_attention_is(heads, shared, size):
    torch.manual_seed(0)
    lengths = [1, 63, 64, 65, 200, 0, 129, 384]
    ends = torch.tensor([0, *lengths]).cumsum(0).int().cuda()
    widths = [heads * size, heads // shared * size, heads // shared * size]
    joined = torch.randn(sum(lengths), sum(widths), device="cuda", dtype=torch.bfloat16)
    rows = [one.unflatten(-1, (-1, size)) for one in joined.split(widths, -1)]  # not contiguous
    found = short_attention.attend(*rows, ends, 512, size**-0.5)
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        if begin < end:
            query, key, value = (one[begin:end].transpose(0, 1)[None].float() for one in rows)
            right = torch.nn.functional.scaled_dot_product_attention(
                query, key, value, is_causal=True, enable_gqa=True
            )
            torch.testing.assert_close(
                found[begin:end].float(), right[0].transpose(0, 1), atol=2e-2, rtol=2e-2
            )
