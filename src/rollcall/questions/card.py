"""The card of a question set: a Markdown page about its content, its making, and its permitted use.

Its tables are the QAMPARI paper's Table 2 and Figure 3 for this set. Dataset hubs read its head.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rollcall.questions.question_set import card_head
from rollcall.questions.record import Question
from rollcall.questions.splits import TABLES
from rollcall.questions.statistics import Figures, Statistics
from rollcall.report.markdown import code, inline
from rollcall.text.nouns import counted, counted_kinds

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
