"""The results of reading a block: pages, bad entries, repaired markup, templates without a rule."""

from collections import Counter

import msgspec

from rollcall.corpus.content import Content
from rollcall.input_files.tally import Tally

KEPT_TEMPLATES = 200
"""The number of most common unknown templates that are kept for a block."""


class Findings(msgspec.Struct):
    """Counts of one block, or of all blocks of a source added up.

    `tally` counts the entries that could not be read; `mended` counts broken markup that was repaired, which
    never stops a run.
    """

    tally: Tally = msgspec.field(default_factory=Tally)
    mended: Tally = msgspec.field(default_factory=Tally)
    unknown_templates: dict[str, int] = {}
    dropped_sentences: int = 0

    def keep_commonest(self) -> None:
        """Drop rare templates, so that memory use does not grow with the dump."""
        ranked = sorted(self.unknown_templates.items(), key=lambda item: (-item[1], item[0]))
        self.unknown_templates = dict(ranked[:KEPT_TEMPLATES])

    def add(self, block: "Findings", source: str = "") -> None:
        self.mended.lines = self.tally.lines
        block.mended.lines = block.tally.lines
        self.tally.add(block.tally, source)
        self.mended.add(block.mended, source)
        self.unknown_templates = dict(Counter(self.unknown_templates) + Counter(block.unknown_templates))
        if len(self.unknown_templates) > 10 * KEPT_TEMPLATES:
            self.keep_commonest()
        self.dropped_sentences += block.dropped_sentences


def note_problems(findings: Findings, content: Content, line: int, title: str) -> None:
    """Count the repairs on a page, and the templates without a rule."""
    for problem in dict.fromkeys(content.problems):
        findings.mended.add_bad(line, problem, title)
    unknown = findings.unknown_templates
    for name, count in content.unknown_templates.items():
        unknown[name] = unknown.get(name, 0) + count
