"""The lexicon of a build: the packaged entries, overridden by the user's files.

The choice of relations, the search for evidence and the wording all use this lexicon, so a user's entry
counts for all of them. A stage that uses it declares the section `wording`.
"""

from rollcall.build.lexicon_files import LexiconFiles
from rollcall.wording import Lexicon


def build_lexicon(files: LexiconFiles) -> Lexicon:
    """Read the lexicon of a build."""
    given = files.lexicon
    return Lexicon.load(*([given] if isinstance(given, str) else given))
