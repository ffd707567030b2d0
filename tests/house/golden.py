"""Checksums of what the builds write: a change of the code must leave every byte as it was.

    python tests/house/golden.py OUT [--real ../shared/real]      build into OUT, write OUT/golden.json
    python tests/house/golden.py OUT --against OTHER/golden.json  say what differs

Every recipe builds from two generated worlds, and from the real samples where they are given. Question sets,
runs and scores are compared; manifests are not: they name versions and times. What is built already is
not built again.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path

RECIPES = ("qampari", "romqa", "graphquestions", "setops", "mixed")
WORLDS = ((3, 600), (11, 1200))
SMALL = ("answers.least=3",)


def rollcall(*arguments: object) -> str:
    """Run a command, and return what it prints; an error ends the script."""
    program = [sys.executable, "-m", "rollcall", *map(str, arguments)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr.strip()[-300:]}"


def checksum(path: Path) -> str:
    """The checksum of a file, or of a text where the file is missing."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else "missing"


def built(name: str, recipe: str, out: Path, given: list[object], sums: dict[str, str]) -> Path:
    """Build one set, and add the checksums of its questions."""
    folder, before = out / "sets" / f"{name}-{recipe}", time.monotonic()
    if not (folder / "manifest.json").exists():
        said = rollcall("build", recipe, *given, "--out", folder)
        if said.startswith("exit"):
            sums[f"{name}/{recipe}"] = said
    sums[f"{name}/{recipe}/questions"] = checksum(folder / "questions.jsonl")
    print(f"{name} {recipe}: {time.monotonic() - before:.0f} s", flush=True)
    return folder


def answered(name: str, questions: Path, graph: Path, corpus: Path, out: Path, sums: dict[str, str]) -> None:
    """Run two readers on a set, score and compare them, audit the set."""
    runs = []
    for reader in ("mentions", "rollcall"):
        run = out / "runs" / f"{name}-{reader}.jsonl"
        if not run.exists():
            rollcall("run", questions, "--corpus", corpus, "--graph", graph, "--reader", reader, "--out", run)
        sums[f"{name}/run/{reader}"] = checksum(run)
        runs.append(run)
    for words in (["score", questions, runs[0], "--json"], ["compare", questions, *runs, "--json"]):
        sums[f"{name}/{words[0]}"] = hashlib.sha256(rollcall(*words).encode()).hexdigest()[:16]
    sums[f"{name}/stats"] = hashlib.sha256(rollcall("stats", questions, "--json").encode()).hexdigest()[:16]


def worlds(out: Path, sums: dict[str, str]) -> None:
    """All recipes on generated worlds."""
    for seed, entities in WORLDS:
        name = f"world{seed}"
        world, graph, corpus = (out / name / part for part in ("world", "graph", "corpus"))
        if not corpus.exists():
            rollcall("world", world, "--entities", entities, "--seed", seed)
            rollcall("graph", world / "wikidata.json.gz", "--out", graph)
            rollcall("corpus", world / "pages.xml.bz2", "--graph", graph, "--out", corpus)
        for recipe in RECIPES:
            given = ["--graph", graph, "--corpus", corpus, "--set", "answers.least=3"]
            folder = built(name, recipe, out, given if recipe == "qampari" else given[:4], sums)
            if recipe == "qampari":
                answered(name, folder, graph, corpus, out, sums)


def real(samples: Path, out: Path, sums: dict[str, str]) -> None:
    """The real samples: with text by `qampari`, without text by `mixed`."""
    rows = {"real": samples, "docred": samples / "docred", "wikidata": samples / "wikidata"}
    for name, folder in rows.items():
        graph, corpus = out / name / "graph", out / name / "corpus"
        parts = [
            path
            for path in (
                folder / f"{part}" for part in ("facts.tsv.gz", "values.tsv.gz", "entities.jsonl.gz")
            )
            if path.exists()
        ]
        parts += [path for path in (folder / "relations.tsv",) if path.exists()]
        if not graph.exists():
            rollcall("graph", *parts, "--out", graph)
        pages = [path for path in (folder / "pages.jsonl.gz", folder / "tables.jsonl.gz") if path.exists()]
        if pages and not corpus.exists():
            rollcall("corpus", *pages, "--graph", graph, "--out", corpus)
        if name == "wikidata":
            built(name, "mixed", out, ["--graph", graph, "--set", "evidence.use=false"], sums)
        else:
            least = SMALL if name == "docred" else ()
            changes = [word for change in least for word in ("--set", change)]
            made = built(name, "qampari", out, ["--graph", graph, "--corpus", corpus, *changes], sums)
            if name == "docred":
                answered(name, made, graph, corpus, out, sums)


def main() -> None:
    """Build, and compare with what was built before."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--real", type=Path, help="the folder of the real samples")
    parser.add_argument("--against", type=Path, help="golden.json of another version")
    given = parser.parse_args()
    sums: dict[str, str] = {}
    worlds(given.out, sums)
    if given.real:
        real(given.real, given.out, sums)
    (given.out / "golden.json").write_text(json.dumps(sums, indent=1), encoding="utf-8")
    if given.against:
        before = json.loads(given.against.read_text(encoding="utf-8"))
        different = [key for key in sorted({*before, *sums}) if before.get(key) != sums.get(key)]
        for key in different:
            print(f"differs: {key}: {before.get(key)} -> {sums.get(key)}")
        print(f"{len(sums)} outputs, {len(different)} differ")
        sys.exit(bool(different))


if __name__ == "__main__":
    main()
