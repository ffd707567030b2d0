"""Writes a question set for other tools, in any format that can be written.

Into a folder, one file is written for each split, as these sets are published, and a card that says which
file contains which split; a format may say that its folder has other files. Into a file, all questions are
written. Other files in the folder are not changed, so splits may be exported one by one. All files are put in
their places together, when all are written. A file that is there with other content is replaced only if that
is wanted; the same export again changes nothing, so that a killed one can be completed.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall._core.files import check_same, replacing
from rollcall._core.locks import sole_writer
from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.source import ExportedFile, ExportSource
from rollcall.questions.given import Predictions, given_run
from rollcall.questions.question_set import CARD, hub_splits, is_own_card, mapped_files
from rollcall.questions.record import Question
from rollcall.questions.release import export_card

if TYPE_CHECKING:
    from huggingface_hub import HfApi


FILE_ENDINGS = (".jsonl", ".json", ".parquet", ".csv", ".md", ".qrels", ".yaml")
"""Endings by which a place is taken for a file, whatever the format."""


class ExportedFiles(NamedTuple):
    """What an export wrote."""

    files: list[tuple[Path, ExportedFile]]
    own_page: Path | None = None
    """A page that a user wrote, which stands where a card would."""
    neutral_left_out: int = 0
    """How many neutral answers were left out, because the format has no place for them."""


def written_formats() -> list[str]:
    """The names of the formats that can be written."""
    return [entry.name for entry in FORMATS if entry.thing.is_written()]


def export(
    questions: Iterable[Question],
    file_format: str,
    out: Path,
    *,
    run: Predictions | None = None,
    corpus: Path | str | None = None,
    force: bool = False,
) -> list[tuple[Path, int]]:
    """Write questions in a format; returns the files with the number of questions in each.

    A folder also gets a card, unless it has a page that a user wrote. `run` is exported with the questions if
    the format has a place for it, and `corpus` gives the passages of the formats for retrieval. Files with
    other content are replaced only with `force`. Formats that do not know neutral answers get the others.
    """
    exported = export_files(questions, file_format, out, run, corpus, force)
    return [(path, file.number) for path, file in exported.files if file.number is not None]


def export_files(
    questions: Iterable[Question],
    file_format: str,
    out: Path,
    run: Predictions | None = None,
    corpus: Path | str | None = None,
    force: bool = False,
) -> ExportedFiles:
    """Write questions in a format; says which files were written, and what each contains."""
    form = FORMATS.find(file_format)
    if not form.is_written():
        raise RollcallError(
            f"--format {file_format}: cannot be written; there are {', '.join(written_formats())}"
        )
    for name, value in (("run", run), ("corpus", corpus)):
        if value is not None and name not in form.takes:
            having = [entry.name for entry in FORMATS if name in entry.thing.takes]
            raise RollcallError(
                f"--{name}: --format {file_format} has no place for it; {', '.join(having)} have one"
            )
    with ExitStack() as opened:
        material = ExportSource(list(questions), out.name.partition(".")[0] or "questions")
        material.run = None if run is None else given_run(run)
        if corpus is not None:
            from rollcall.corpus import Corpus

            material.corpus = opened.enter_context(Corpus.open(corpus))
        exported = _export(material, form, file_format, out, force)
        lost = 0 if form.keeps_neutral else sum(len(question.neutral) for question in material.questions)
        return exported._replace(neutral_left_out=lost)


def _export(
    material: ExportSource, form: type[QuestionFormat], file_format: str, out: Path, force: bool
) -> ExportedFiles:
    suffix = Path(f"x{form.ending}").suffix
    if out.suffix and out.suffix in (*FILE_ENDINGS, suffix):
        if not form.is_file():
            raise RollcallError(f"{out}: --format {file_format} writes a folder of several files; name one")
        if out.suffix != suffix:
            raise RollcallError(
                f"{out}: --format {file_format} writes {suffix} files; name it so, or name a folder"
            )
        whole = ExportedFile(
            out.name, lambda path: form.write(material.questions, path), len(material.questions)
        )
        with replacing(out) as partial:
            whole.write(partial)
            check_same(partial, out, force)
        return ExportedFiles([(out, whole)])
    with sole_writer(out):
        if out.exists() and not out.is_dir():
            ending = f", or a file that ends in {suffix}" if form.is_file() else ""
            raise RollcallError(f"{out}: is a file; name a folder{ending}")
        return _export_folder(material, form, out, force)


def _export_folder(
    material: ExportSource, form: type[QuestionFormat], out: Path, force: bool
) -> ExportedFiles:
    files = form.files(material)
    card = out / CARD
    with ExitStack() as pending:
        for file in files:
            (out / file.name).parent.mkdir(parents=True, exist_ok=True)
            if file.name != CARD or not card.exists() or is_own_card(card):
                partial = pending.enter_context(replacing(out / file.name))
                file.write(partial)
                check_same(partial, out / file.name, force or file.name == CARD)
        if form.has_card and (not card.exists() or is_own_card(card)):
            shown = hub_splits(file.split for file in files if file.split is not None)
            mapped = {shown[file.split]: file.name for file in files if file.split is not None}
            # Sorted, so that the card is the same if this export completes one that was killed.
            page = export_card(material.questions, dict(sorted({**_earlier(card), **mapped}.items())))
            pending.enter_context(replacing(card)).write_text(page, encoding="utf-8")
    is_kept = (
        card.exists() and not is_own_card(card) and (form.has_card or CARD in {file.name for file in files})
    )
    written = [(out / file.name, file) for file in files if not (is_kept and file.name == CARD)]
    return ExportedFiles(written, card if is_kept else None)


def _earlier(card: Path) -> dict[str, str]:
    """The split files of an earlier export that still exist."""
    if not card.exists():
        return {}
    mapped = mapped_files(card.read_text(encoding="utf-8"))
    return {split: name for split, name in mapped.items() if (card.parent / name).is_file()}


# Uploads an exported folder to the Hugging Face hub, for which a token is needed. Whether that is
# possible is checked before anything is written; the upload itself is one commit.

PUSHED = ("huggingface", "croissant", "beir")
"""The formats whose folders are datasets of the hub."""
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


def check_push(repository: str, file_format: str) -> None:
    """Refuse an upload that cannot succeed."""
    if file_format not in PUSHED:
        raise RollcallError(f"--push: is for --format {' or '.join(PUSHED)}, not {file_format}")
    if _REPOSITORY.fullmatch(repository) is None:
        raise RollcallError(f"--push {repository!r:.80}: name a dataset as OWNER/NAME")
    _hub()


def push_folder(folder: Path, repository: str, files: Sequence[Path]) -> str:
    """Upload the files of a folder as one commit, making the dataset if needed; returns its address."""
    hub = _hub()
    names = [str(path.relative_to(folder)) for path in files]
    try:
        hub.create_repo(repository, repo_type="dataset", exist_ok=True)
        hub.upload_folder(
            repo_id=repository,
            repo_type="dataset",
            folder_path=str(folder),
            allow_patterns=names,
            commit_message="Questions exported by Rollcall",
        )
    except Exception as error:
        about = " ".join(str(error).split())
        raise RollcallError(f"--push {repository}: the upload failed ({about:.200})") from error
    return f"{hub.endpoint}/datasets/{repository}"


def _hub() -> "HfApi":
    try:
        from huggingface_hub import HfApi, get_token
    except ImportError:
        raise RollcallError(
            "--push needs huggingface_hub: pip install 'rollcall-qa[hub]', or pip install huggingface_hub"
        ) from None
    token = get_token()
    if token is None:
        raise RollcallError(
            "--push: there is no token; set HF_TOKEN, or log in by `hf auth login`, and give it the right to "
            "write"
        )
    return HfApi(token=token)
