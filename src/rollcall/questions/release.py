"""Writes a finished question set: `questions.jsonl`, `manifest.json`, the card `README.md`, and the splits.

Questions are processed as a stream, so that a set may be larger than memory. Every split is also written as
Parquet, because dataset libraries treat a file as one split; the card lists these files. The manifest is
written last, with the hashes of the other files: a folder that has it is complete.

- `card`, `export_card`: a Markdown page about the content of a set, its making, and its permitted use.
- `save_set`: a set that was built, in its folder.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from rollcall._core.files import file_names
from rollcall._core.folders import replacing_folder
from rollcall.questions.formats.tables import RowWriter
from rollcall.questions.question_set import (
    CARD,
    QUESTIONS,
    SPLIT_FILE,
    UNSPLIT,
    card_head,
    hub_splits,
    own_files,
    write_manifest,
)
from rollcall.questions.record import Question
from rollcall.questions.splits import TABLES, lot
from rollcall.questions.statistics import Figures, Statistics
from rollcall.report.markdown import code, inline
from rollcall.text.nouns import counted, counted_kinds

FORMAT = "rollcall"
_EXAMPLES_A_KIND = 2
_EXAMPLE_ANSWERS = 30
"""A question with more answers than this is too long for an example."""


class Examples:
    """Some questions of every kind, sampled at random while the questions are written."""

    def __init__(self, seed: int):
        self._seed = seed
        self._best: dict[str, list[tuple[bool, str, Question]]] = {}

    def offer(self, question: Question) -> None:
        position = lot(self._seed, "example", question.id)
        best = self._best.setdefault(question.kind or "", [])
        best.append((len(question.answers) > _EXAMPLE_ANSWERS, position, question))
        best.sort(key=lambda entry: entry[:2])
        del best[_EXAMPLES_A_KIND:]

    def chosen(self, kinds: Iterable[str]) -> list[Question]:
        return [question for kind in kinds for _, _, question in self._best.get(kind, ())]


def write_set(folder: Path, questions: Iterable[Question], manifest: dict[str, Any]) -> Statistics:
    """Write the files of a set into an existing folder, and return the set's figures."""
    statistics, examples = Statistics(), Examples(int(manifest.get("seed") or 0))
    encoder = msgspec.json.Encoder()
    with (folder / QUESTIONS).open("wb") as stream, SplitFiles(folder) as splits:
        for question in questions:
            stream.write(encoder.encode(question) + b"\n")
            splits.add(question)
            statistics.add(question)
            examples.offer(question)
    full = {"format": FORMAT, **manifest, "counts": counts(statistics)}
    page = card(full, statistics, examples.chosen(statistics.kinds), splits.files)
    (folder / CARD).write_text(page, encoding="utf-8")
    write_manifest(folder, full, [QUESTIONS, CARD, *splits.files.values()])
    return statistics


class SplitFiles(ExitStack):
    """One Parquet file for each split that occurs."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._writers: dict[str | None, RowWriter] = {}
        self._names: dict[str | None, str] = {}

    def add(self, question: Question) -> None:
        split = question.split or None
        if split not in self._writers:
            self._names[split] = self._new_name(split)
            self._writers[split] = self.enter_context(RowWriter(self._folder / self._names[split]))
        self._writers[split].add([question])

    @property
    def files(self) -> dict[str, str]:
        """The file of each split, by the name that hubs show."""
        shown = hub_splits(self._writers)
        return {shown[split]: self._names[split] for split in shown}

    def _new_name(self, split: str | None) -> str:
        plain = UNSPLIT if split is None else file_names([split])[split]
        taken = {name.casefold() for name in self._names.values()}
        name = f"{plain}{SPLIT_FILE}"
        return name if name.casefold() not in taken else f"{plain}-{len(taken)}{SPLIT_FILE}"


def save_set(folder: Path, questions: Iterable[Question], manifest: dict[str, Any]) -> Statistics:
    """Write a set as a folder, replacing an existing one."""
    with replacing_folder(folder, own_files) as partial:
        return write_set(partial, questions, manifest)


def counts(statistics: Statistics) -> dict[str, object]:
    """The number of questions of each kind and split, of answers, and of pieces of evidence."""
    table: dict[str, object] = {}
    for kind in statistics.kinds:
        figures = {split: statistics.figures(kind, [split]) for split in statistics.splits}
        table[kind] = {split: group.questions for split, group in figures.items() if group is not None}
    total = statistics.figures()
    return {
        "questions": total.questions if total else 0,
        "answers": statistics.answers,
        **({"neutral": statistics.neutral} if statistics.neutral else {}),
        **({"extended": statistics.extended} if statistics.extended else {}),
        **({"searched": statistics.searched} if statistics.searched else {}),
        "evidence": statistics.evidence,
        "kinds": table,
    }


# The card of a question set: a Markdown page about its content, its making, and its permitted use.
#
# Its tables are the QAMPARI paper's Table 2 and Figure 3 for this set. Dataset hubs read its head.

_BAR = 40
_SHOWN_ANSWERS = 6


def card(
    manifest: dict[str, Any],
    statistics: Statistics,
    examples: Sequence[Question],
    files: Mapping[str, str] | None = None,
) -> str:
    """The page, from the manifest, the figures, some example questions, and the file of each split."""
    name = manifest.get("recipe", {}).get("name", "questions")
    parts = [
        *card_head(str(manifest.get("language", "en")), files or {}),
        f"# {inline(str(name))}: questions whose answers are sets",
        "",
        *_contents(manifest, statistics, files or {}),
        *_table(statistics),
        *_distribution(statistics),
        *_examples(examples),
        *_making(manifest),
        *_licence(manifest),
    ]
    return "\n".join(parts).rstrip() + "\n"


def export_card(questions: Sequence[Question], files: Mapping[str, str], more: Sequence[str] = ()) -> str:
    """The card of exported questions, made from the questions alone; `more` are lines of its head."""
    statistics = Statistics(questions)
    parts = [
        *card_head("en", files, more),
        "# Questions whose answers are sets",
        "",
        *_listed(files),
        *_extended(statistics),
        *([""] if statistics.extended or statistics.searched else []),
        *_table(statistics),
        *_distribution(statistics),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _contents(manifest: dict[str, Any], statistics: Statistics, files: Mapping[str, str]) -> list[str]:
    lines = [
        _answers(manifest, statistics),
        "One line of `questions.jsonl` is one question; `split` says whether it is for training,",
        "development or test.",
        *_extended(statistics),
        "",
    ]
    return [*lines, *_listed(files)]


def _extended(statistics: Statistics) -> list[str]:
    """A sentence about answers that were found later, if there are any."""
    if not statistics.extended and not statistics.searched:
        return []
    searched = f"{counted(statistics.searched, 'question was', 'questions were')} searched for more answers."
    return [
        *([searched] if statistics.searched else []),
        f"{counted(statistics.with_extended, 'question also has', 'questions also have')} "
        f"{counted(statistics.extended, '`extended` answer')}: right "
        "ones that were found later. They are",
        "kept apart, with their provenance, and are not counted in the figures below.",
    ]


def _listed(files: Mapping[str, str]) -> list[str]:
    """The file of each split, as lines."""
    return [*(f"- {code(name)}: the split {inline(split)}" for split, name in files.items()), ""]


def _answers(manifest: dict[str, Any], statistics: Statistics) -> str:
    """Which answers a question has: all answers of the graph, or only those that text proves."""
    if (share := statistics.share_of_graph) is not None:
        where = "the graph and the lists" if set(statistics.kinds) & set(TABLES) else "the graph"
        return (
            f"Each question has the answers that text proves ({100 * share:.1f} % of those in {where}), "
            "with their names\nand the sentences that prove them."
        )
    proved = 100 * statistics.with_evidence / statistics.answers if statistics.answers else 0.0
    which = "all answers that the graph has" if "recipe" in manifest else "a list of answers"
    neutral = (
        f" {counted(statistics.neutral, 'further answer')} under `neutral` are probably right and not "
        "required: giving one is neither rewarded nor penalised."
        if statistics.neutral
        else ""
    )
    return (
        f"Each question has {which}, with their names; {proved:.1f} % of them have sentences that prove them."
        f"{neutral}"
    )


def _table(statistics: Statistics) -> list[str]:
    kinds = statistics.kinds
    held = [split for split in statistics.splits if split != "train"]
    groups = [(split, [split]) for split in statistics.splits]
    if len(held) > 1:
        groups.append((" + ".join(held), held))
    lines = ["## Questions by kind", "", "| | | all | " + " | ".join(map(inline, kinds)) + " |"]
    lines.append("|---|---|" + "---:|" * (len(kinds) + 1))
    rows: tuple[tuple[str, Callable[[Figures], str]], ...] = (
        ("questions", lambda figures: f"{figures.questions:,}"),
        ("mean number of answers", lambda figures: f"{figures.mean_answers:.2f}"),
        ("median number of answers", lambda figures: f"{figures.median_answers:.1f}"),
        ("mean words of a question", lambda figures: f"{figures.mean_words:.2f}"),
    )
    for title, shown in rows:
        for number, (name, splits) in enumerate(groups):
            row_figures = [statistics.figures(kind, splits) for kind in (None, *kinds)]
            cells = ["–" if figures is None else shown(figures) for figures in row_figures]
            lines.append(f"| {title if number == 0 else ''} | {inline(name)} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def _distribution(statistics: Statistics) -> list[str]:
    held = [split for split in statistics.splits if split != "train"]
    splits = held or statistics.splits
    bins = statistics.bins(splits)
    if not bins:
        return []
    total = sum(count for _, count in bins)
    widest = max(count for _, count in bins)
    lines = [f"## Number of answers ({inline(' and '.join(splits))})", "", "```"]
    for name, count in bins:
        bar = "█" * max(round(_BAR * count / widest), 1 if count else 0)
        lines.append(f"{name:>9}  {count:>6,}  {count / total:6.1%}  {bar}".rstrip())
    return [*lines, "```", ""]


def _examples(examples: Iterable[Question]) -> list[str]:
    lines = ["## Examples", ""]
    for question in examples:
        names = [answer.label for answer in question.answers]
        more = f" … ({len(names)} in all)" if len(names) > _SHOWN_ANSWERS else ""
        lines.append(
            f"- *{inline(question.kind or 'unknown')}*: **{inline(question.question)}** "
            f"{'; '.join(map(inline, names[:_SHOWN_ANSWERS]))}{more}"
        )
        proof = next((e for answer in question.answers for e in answer.evidence if e.text), None)
        if proof is not None:
            lines.append(f"  > {inline(proof.text)} ({inline(proof.title or proof.passage or 'no title')})")
    return [*lines, ""]


def _making(manifest: dict[str, Any]) -> list[str]:
    lines = ["## How it was made", ""]
    if "recipe" in manifest:
        recipe = manifest["recipe"]
        built = f"rollcall build {recipe.get('name')}"
        lines.append(
            f"{code(built)} (Rollcall {inline(str(manifest.get('version')))}, "
            f"seed {manifest.get('seed')}). "
            "`manifest.json` has the recipe with all its parameters and the fingerprints of the inputs."
        )
        lines.append("")
    stages = manifest.get("stages", {})
    if stages:
        lines += ["| stage | rows | removed |", "|---|---:|---|"]
        for name, stage in stages.items():
            removed = counted_kinds(stage.get("removed", {}), "; ")
            lines.append(f"| {inline(name)} | {stage.get('rows', 0):,} | {inline(removed)} |")
        lines.append("")
    for note in manifest.get("notes", []):
        lines.append(f"- {inline(note)}")
    return [*lines, ""]


def _licence(manifest: dict[str, Any]) -> list[str]:
    sources = [source for entry in manifest.get("inputs", {}).values() for source in entry.get("sources", [])]
    named = ", ".join(code(source) for source in sources) or "the graph and the corpus"
    return [
        "## Licence",
        "",
        f"The questions and answers are derived from {named}, and the evidence quotes their text: the set "
        "may be used and passed on as the licences of those sources allow. Wikidata is CC0 1.0; the text of "
        "Wikipedia is CC BY-SA 4.0 and GFDL, which ask for attribution and for the same licence; the worlds "
        "that Rollcall generates are free of claims. Rollcall itself is Apache-2.0, which does not extend to "
        "the sets made with it.",
    ]
