"""The lexicon of a build: the packaged entries with the user's files on top.

Choosing relations, finding evidence and wording all take it from here, so that a user's entry counts for all
of them. A stage that does declares the section `wording`.
"""

from rollcall.build.lexicon_files import LexiconFiles
from rollcall.wording import Lexicon


def build_lexicon(files: LexiconFiles) -> Lexicon:
    """Read the lexicon of a build."""
    return Lexicon.load(*files.lexicon)
