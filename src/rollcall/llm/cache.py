"""Replies on disk under the hash of their request: what was paid for is never asked again.

An SQLite file in write-ahead mode, one transaction a reply: a killed process loses nothing that was
stored, and several processes may use one file.
"""

import sqlite3
import threading
from pathlib import Path

import msgspec

from rollcall.errors import RollcallError
from rollcall.llm.records import Reply, Request


class ReplyCache:
    """A file of replies; safe to use from several threads."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        try:
            self._file = sqlite3.connect(
                self._path, timeout=60, check_same_thread=False, isolation_level=None
            )
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, request BLOB, reply BLOB)"
            )
        except sqlite3.DatabaseError as error:
            raise RollcallError(f"{self._path}: is not a cache of replies ({error}); name another") from error

    def get(self, key: str) -> Reply | None:
        """The reply kept under a key, marked as cached."""
        with self._lock:
            row = self._file.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        return msgspec.structs.replace(msgspec.json.decode(row[0], type=Reply), cached=True)

    def put(self, key: str, request: Request, reply: Reply) -> None:
        """Keep a reply; it is on disk when this returns."""
        with self._lock:
            self._file.execute(
                "INSERT OR IGNORE INTO replies VALUES (?, ?, ?)",
                (key, msgspec.json.encode(request), msgspec.json.encode(reply)),
            )

    def remove(self, key: str) -> None:
        """Forget a reply that turned out to be of no use."""
        with self._lock:
            self._file.execute("DELETE FROM replies WHERE key = ?", (key,))

    def __len__(self) -> int:
        with self._lock:
            return int(self._file.execute("SELECT count(*) FROM replies").fetchone()[0])

    def close(self) -> None:
        with self._lock:
            self._file.close()
