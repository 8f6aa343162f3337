"""Remember builds in one SQLite file."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from xpubuild.errors import MachineError
from xpubuild.graph import Fetch
from xpubuild.plan import Known

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from xpubuild.keys import Keyed

_SCHEMA = """
CREATE TABLE IF NOT EXISTS nodes (
    engine TEXT, key TEXT, PRIMARY KEY (engine, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
    engine TEXT, sha256 TEXT, PRIMARY KEY (engine, sha256)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    image TEXT, name TEXT, document TEXT, PRIMARY KEY (image, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS timings (
    key TEXT, name TEXT, seconds REAL, at TEXT DEFAULT CURRENT_TIMESTAMP
);
"""


class SqliteRecords:
    """`ports.records.Records` in the file `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def known(self, *, engine: str, image: str) -> Known:
        """See the port; an absent file knows nothing."""
        if not self._path.exists():
            return Known(keys=frozenset(), files=frozenset(), documents={})
        with self._open() as database:
            keys = database.execute("SELECT key FROM nodes WHERE engine = ?", (engine,))
            files = database.execute("SELECT sha256 FROM files WHERE engine = ?", (engine,))
            documents = database.execute("SELECT name, document FROM documents WHERE image = ?", (image,))
            return Known(
                keys=frozenset(key for (key,) in keys),
                files=frozenset(sha256 for (sha256,) in files),
                documents=dict(documents.fetchall()),
            )

    def remember(self, nodes: tuple[Keyed, ...], *, engine: str, image: str, seconds: Mapping[str, float]) -> None:
        """See the port; one transaction."""
        files = {file.sha256 for entry in nodes if isinstance(entry.node, Fetch) for file in entry.node.artifacts}
        with self._open() as database:
            database.executemany("INSERT OR IGNORE INTO nodes VALUES (?, ?)", [(engine, entry.key) for entry in nodes])
            database.executemany("INSERT OR IGNORE INTO files VALUES (?, ?)", [(engine, sha256) for sha256 in files])
            database.executemany(
                "INSERT OR REPLACE INTO documents VALUES (?, ?, ?)",
                [(image, entry.node.name, entry.document) for entry in nodes],
            )
            database.executemany(
                "INSERT INTO timings (key, name, seconds) VALUES (?, ?, ?)",
                [(e.key, e.node.name, seconds[e.node.name]) for e in nodes if e.node.name in seconds],
            )

    def forget(self, *, engine: str) -> None:
        """See the port."""
        with self._open() as database:
            database.execute("DELETE FROM nodes WHERE engine = ?", (engine,))
            database.execute("DELETE FROM files WHERE engine = ?", (engine,))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=30)) as database, database:
                database.executescript(_SCHEMA)
                yield database
        except (OSError, sqlite3.Error) as fault:
            raise MachineError(
                f"the record of earlier builds cannot be used: {fault}",
                where=str(self._path),
                hint="remove the file: forecasts start anew, no release is lost",
            ) from fault
