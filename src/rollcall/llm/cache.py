"""Replies on disk under the hash of their request: a request that was paid for is never sent again.

The cache is an SQLite file in write-ahead mode, with one transaction per reply: a killed process loses no
stored reply, and several processes may use one file. Each reply has a checksum: a damaged reply is requested
again, and the others remain valid.
"""

import sqlite3
import threading
import zlib
from pathlib import Path
from typing import Any

import msgspec

from rollcall.errors import RollcallError
from rollcall.llm.records import Reply, Request

_DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What the library raises for a damaged file; a message of its own may be no UTF-8 then."""


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
                "CREATE TABLE IF NOT EXISTS replies "
                "(key TEXT PRIMARY KEY, request BLOB, reply BLOB, checksum INTEGER)"
            )
            columns = [row[1] for row in self._file.execute("PRAGMA table_info(replies)")]
            if "checksum" not in columns:  # a cache from before checksums were added
                self._file.execute("ALTER TABLE replies ADD COLUMN checksum INTEGER")
        except _DAMAGE as error:
            raise RollcallError(f"{self._path}: is not a cache of replies ({error}); name another") from error

    def get(self, key: str) -> Reply | None:
        """The reply stored under a key, marked as cached."""
        row = self._do("SELECT reply, checksum FROM replies WHERE key = ?", key)
        if not row or (row[1] is not None and row[1] != _checksum(key, row[0])):
            return None
        try:
            return msgspec.structs.replace(msgspec.json.decode(row[0], type=Reply), cached=True)
        except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
            return None

    def put(self, key: str, request: Request, reply: Reply) -> None:
        """Store a reply; it is on disk when this returns."""
        encoded = msgspec.json.encode(reply)
        self._do(
            "INSERT INTO replies (key, request, reply, checksum) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE "
            "SET request = excluded.request, reply = excluded.reply, checksum = excluded.checksum",
            *(key, msgspec.json.encode(request), encoded, _checksum(key, encoded)),
        )

    def remove(self, key: str) -> None:
        """Remove a reply that turned out to be unusable."""
        self._do("DELETE FROM replies WHERE key = ?", key)

    def __len__(self) -> int:
        return int(self._do("SELECT count(*) FROM replies")[0])

    def _do(self, statement: str, *values: object) -> tuple[Any, ...]:
        try:
            with self._lock:
                return tuple(self._file.execute(statement, values).fetchone() or ())
        except _DAMAGE as error:
            raise RollcallError(
                f"{self._path}: the cache of replies is damaged ({error}); move it away, and replies are "
                "asked for again"
            ) from error

    def close(self) -> None:
        with self._lock:
            self._file.close()


def _checksum(key: str, reply: object) -> int:
    return zlib.crc32(reply, zlib.crc32(key.encode())) if isinstance(reply, bytes) else -1
