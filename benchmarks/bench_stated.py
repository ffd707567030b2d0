"""How often does a sentence that names both ends of a fact state it? Measured on annotated text.

python benchmarks/bench_stated.py TRIPLES.jsonl[.gz]

The file has one object a line with `label` (true or false: does the sentence state the fact?) and `kind`;
the kind `wrong` marks facts that do not hold, which are left out. The recipe `qampari` takes its
`evidence.stated` from this figure on Re-DocRED's development part.
"""

import argparse
import gzip
import json
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("triples", type=Path)
    path = parser.parse_args().triples
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    labels = [row["label"] for row in map(json.loads, data.splitlines()) if row.get("kind") != "wrong"]
    share = sum(labels) / len(labels)
    print(f"{sum(labels):,} of {len(labels):,} sentences that name a fact state it: {share:.1%}")


if __name__ == "__main__":
    main()
