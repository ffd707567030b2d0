"""The verifier that a recipe chooses: checked together with the recipe, and made when it is needed.

Its options and needs are checked early, because a build may mine for hours before it uses the verifier.
"""

from collections.abc import Collection
from pathlib import Path

from rollcall._core.errors import RollcallError
from rollcall._core.registry import missing_options, read_options
from rollcall.build.keys import SearchKeys, VerifierKeys
from rollcall.build.lexicon import LexiconFiles, build_lexicon
from rollcall.build.stage import Inputs, KeyMistakeError, Work
from rollcall.evidence.verifiers.verifier import Verifier, VerifierContext, VerifierKind, open_verifier

_OWN_KEYS = ("model", "base_url")


def check_verifier(verifier_keys: SearchKeys) -> None:
    """Refuse a verifier that does not exist, whose options or needs are not met, or whose scores do not tell
    what the keys ask for.
    """
    from rollcall.evidence.verifiers import VERIFIERS

    verifier_keys.check_expectation()
    try:
        kind = VERIFIERS.find(verifier_keys.verifier)
    except RollcallError as error:
        raise KeyMistakeError(f"evidence.verifier: {error}", "evidence.verifier") from None
    if verifier_keys.scores_for is not None and not kind.has_scores:
        raise KeyMistakeError(
            f"the verifier {verifier_keys.verifier} gives no scores; choose another evidence.verifier",
            verifier_keys.scores_for,
            "evidence.verifier",
        )
    if missing := missing_options(kind.Options, verifier_keys.given_options()):
        keys = [f"evidence.{name}" if name in _OWN_KEYS else f"evidence.options.{name}" for name in missing]
        raise KeyMistakeError(
            f"evidence.verifier: {verifier_keys.verifier} needs {' and '.join(keys)}; "
            f"give {'it' if len(keys) == 1 else 'them'} in the recipe or with --set",
            "evidence.verifier",
        )
    try:
        read_options(kind.Options, verifier_keys.given_options(), f"the verifier {verifier_keys.verifier}")
    except RollcallError as error:
        keys = [f"evidence.options.{name}" for name in verifier_keys.options]
        raise KeyMistakeError(
            f"evidence.options: {error}", *keys, "evidence.options", "evidence.verifier"
        ) from None


def chosen_verifier(
    kind: type[VerifierKind],
    verifier_keys: VerifierKeys,
    files: LexiconFiles,
    inputs: Inputs,
    work: Work,
    relations: Collection[str] | None = None,
    prepared: Path | None = None,
    earlier: Path | None = None,
) -> Verifier:
    """Make the verifier that the keys name, with the build's lexicon; a verifier that learns does so now."""
    context = _context(files, inputs, work, relations, prepared, earlier)
    return open_verifier(kind, verifier_keys.verifier, verifier_keys.given_options(), context)


def prepare_verifier(
    kind: type[VerifierKind],
    verifier_keys: VerifierKeys,
    files: LexiconFiles,
    inputs: Inputs,
    work: Work,
    path: Path,
) -> None:
    """Write what the verifier that the keys name needs to learn any relations."""
    options = read_options(
        kind.Options, verifier_keys.given_options(), f"the verifier {verifier_keys.verifier}"
    )
    kind.prepare(options, _context(files, inputs, work), path)


def _context(
    files: LexiconFiles,
    inputs: Inputs,
    work: Work,
    relations: Collection[str] | None = None,
    prepared: Path | None = None,
    earlier: Path | None = None,
) -> VerifierContext:
    return VerifierContext(
        inputs.graph,
        inputs.corpus,
        relations,
        work.engine,
        work.folder / ".learning",
        build_lexicon(files),
        prepared,
        earlier,
    )
