"""Uploads an exported folder to the Hugging Face hub, for which a token is needed.

Whether that is possible is checked before anything is written; the upload itself is one commit.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from huggingface_hub import HfApi

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
