"""The head of a card, which tells dataset hubs which file contains which split.

Without it a hub takes every file for training data, including development and test questions.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rollcall.file_names import file_names
from rollcall.questions.markdown import yaml_word

_OPENING = ["---", "task_categories:", "- question-answering"]
OPENING = ("\n".join(_OPENING) + "\n").encode()
"""The beginning of every card of Rollcall, which a page written by hand is unlikely to have."""
UNSPLIT = "questions"
"""The split that hubs show for questions without a split; hubs reserve the word `all`."""
_MAPPED = re.compile(r"^  - split: (.+)\n    path: (.+)$", re.MULTILINE)
_ODD = re.compile(r"\W+", re.ASCII)


def card_head(language: str, files: Mapping[str, str], more: Sequence[str] = ()) -> list[str]:
    """The lines of the head; `files` gives the file of each split, under the names of `hub_splits`.

    `more` are further lines of YAML.
    """
    return card_head_of(language, {"default": files} if files else {}, more)


def card_head_of(
    language: str,
    configs: Mapping[str, Mapping[str, str]],
    more: Sequence[str] = (),
    task: str | None = None,
) -> list[str]:
    """The head of a dataset of several configurations, each with the file of each of its splits."""
    lines = [*_OPENING, *([f"- {task}"] if task else []), "language:", f"- {yaml_word(language)}"]
    lines += ["configs:"] if configs else []
    for config, files in configs.items():
        lines += [f"- config_name: {yaml_word(config)}", "  data_files:"]
        for split, name in files.items():
            lines += [f"  - split: {yaml_word(split)}", f"    path: {yaml_word(name)}"]
    return [*lines, *more, "---", ""]


def hub_splits(splits: Iterable[str | None]) -> dict[str | None, str]:
    """For each split, a unique name that hubs allow (letters, digits and underscores)."""
    chosen: dict[str | None, str] = {}
    for split in sorted(set(splits), key=lambda one: (one is not None, one or "")):
        plain = _ODD.sub("_", file_names([split])[split]).strip("_") if split else ""
        name = plain = UNSPLIT if plain in ("", "all") else plain
        while name in chosen.values():
            name = f"{plain}_{len(chosen)}"
        chosen[split] = name
    return chosen


def mapped_files(card: str) -> dict[str, str]:
    """The splits and files that the head of a Rollcall card names."""
    head = card.split("\n---\n", 1)[0]
    return {_word(split): _word(name) for split, name in _MAPPED.findall(head)}


def _word(written: str) -> str:
    return str(json.loads(written)) if written.startswith('"') else written


def is_own_card(path: Path) -> bool:
    """Whether a page is a card that Rollcall wrote, and so may replace."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(OPENING)) == OPENING
