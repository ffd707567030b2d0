"""How fast systems learn and read passages, and what share of a GPU's peak that is.

    python benchmarks/bench_reading.py --peak-tflops 989 --seconds 80 --profile
    python benchmarks/bench_reading.py --model CHECKPOINT --systems pig

Without a checkpoint the weights are random, in the shapes of SmolLM2-135M and MiniLM-L6. Passages are random
words; their lengths are spread evenly around `--length`. Time to compile and to tokenise is not counted.
Model FLOPs are 2 × weights without embeddings × tokens, and those of attention; three times that for
training. Neither padding nor what is written counts. With a limit of time, what does not fit is left out.
"""

from argparse import Namespace

from _harness import Arguments, Figures, needs, run_benchmark

LISTS = ("fid", "seq2seq", "closed-book")
ENCODERS = ("mention-scorer", "candidate-scorer", "extractive", "classifier", "dpr")
SYSTEMS = ("pig", *LISTS, *ENCODERS)


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--model", help="a checkpoint by name or path, for pig")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="which systems, in this order")
    parser.add_argument("--phases", default="training,reading,writing", help="which of these")
    parser.add_argument("--passages", type=int, default=4096, smoke=16)
    parser.add_argument(
        "--length", type=int, default=200, smoke=20, help="the mean number of tokens of a passage"
    )
    parser.add_argument(
        "--tokens", default="65536,131072,262144", smoke="4096", help="tokens computed at once, in scoring"
    )
    parser.add_argument(
        "--training-tokens",
        type=int,
        default=131072,
        smoke=4096,
        help="tokens computed at once in training",
    )
    parser.add_argument("--batch", type=int, default=512, smoke=8, help="passages of a step of training")
    parser.add_argument("--written", type=int, default=16, smoke=2, help="tokens written for each passage")
    parser.add_argument(
        "--peak-tflops", type=float, help="the device's peak in bf16, such as 989 for an H200"
    )
    parser.add_argument(
        "--modes", default="default", help="of torch.compile, such as default,max-autotune-no-cudagraphs"
    )
    parser.add_argument(
        "--plain", action="store_true", smoke=True, help="compile nothing; so it is without a GPU"
    )
    parser.add_argument("--profile", action="store_true", help="print the kernels of the best setting")
    parser.add_argument("--seconds", type=float, default=1e9, help="start nothing new after this time")
    parser.add_argument("--repeats", type=int, default=3, smoke=1)
    parser.add_argument("--tiny", action="store_true", smoke=True, help="a tiny shape of every network")
    return parser


def main(given: Namespace, figures: Figures) -> None:
    needs("torch", "transformers", "accelerate", pip="'rollcall-qa[neural]'")
    import torch

    from reading_speed import encoders, lists
    from reading_speed.generator import pig
    from reading_speed.timing import Bench

    given.plain |= not torch.cuda.is_available()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    bench = Bench(given, device, figures)
    for name in given.systems.split(","):
        if name == "pig":
            pig(bench, given, device)
        elif name in LISTS:
            lists.lists(bench, given, name, device)
        else:
            encoders.encoder(bench, given, name, device)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
