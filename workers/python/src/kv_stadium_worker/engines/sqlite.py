"""SQLite through the standard library."""

from __future__ import annotations

import os
import sqlite3

MANUAL = "https://sqlite.org/pragma.html#pragma_synchronous"

MODES = {
    "process": ("wal", "off"),
    "consistent": ("wal", "normal"),
    "power": ("wal", "full"),
    "engine-default": ("delete", "full"),
}


class SqliteStore:
    """One connection; each write commits on its own."""

    PUT = "INSERT OR REPLACE INTO entries VALUES (?, ?)"
    GET = "SELECT value FROM entries WHERE key = ?"
    DELETE = "DELETE FROM entries WHERE key = ?"

    def __init__(self, connection):
        self.connection = connection
        self.execute = connection.execute
        self.close = connection.close

    def get(self, key):
        row = self.execute(self.GET, (key,)).fetchone()
        return None if row is None else row[0]

    def get_many(self, keys):
        get = self.get
        return [get(key) for key in keys]

    def put(self, key, value):
        self.execute(self.PUT, (key, value))

    def delete(self, key):
        self.execute(self.DELETE, (key,))

    def write(self, entries):
        self.execute("BEGIN IMMEDIATE")
        try:
            for key, value in entries:
                if value is None:
                    self.execute(self.DELETE, (key,))
                else:
                    self.execute(self.PUT, (key, value))
            self.execute("COMMIT")
        except BaseException:
            self.execute("ROLLBACK")
            raise

    def scan(self, start, count):
        return self.execute(
            "SELECT key, value FROM entries WHERE key >= ? ORDER BY key LIMIT ?", (start, count)
        ).fetchall()

    def scan_all(self):
        return self.execute("SELECT key, value FROM entries ORDER BY key")

    def background(self):
        return 0, 0


class SqliteEngine:
    def declare(self):
        return {
            "name": "sqlite",
            "title": "SQLite",
            "version": f"{sqlite3.sqlite_version} (sqlite3)",
            "licence": "blessing",
            "description": "SQLite through the standard library's sqlite3.",
            "capabilities": [
                "persistent", "write", "scan", "ordered-scan", "batch", "read-only",
            ],
            "access": ["single"],
            "durability": [
                {
                    "level": level,
                    "settings": f"journal_mode={mode.upper()}, synchronous={sync.upper()}",
                    **({} if level == "engine-default" else {"evidence": MANUAL}),
                }
                for level, (mode, sync) in MODES.items()
            ],
            "options": [
                {
                    "name": "journal_mode",
                    "choices": ["wal"],
                    "description": "how commits are made atomic; engine-default has delete",
                }
            ],
            "unavailable": None,
        }

    def open(self, directory, options, level, access, create):
        mode, sync = MODES[level]
        if options.get("journal_mode", mode) != mode:
            raise ValueError(f"journal_mode={options['journal_mode']} does not fit {level}")
        path = os.path.join(directory, "store.sqlite")
        if options.get("read_only") == "true":
            return SqliteStore(
                sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
            )
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connection.execute(f"PRAGMA journal_mode={mode}").fetchone()
        connection.execute(f"PRAGMA synchronous={sync}")
        if create:
            connection.execute(
                "CREATE TABLE entries (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
            )
        return SqliteStore(connection)


def engine(name):
    return SqliteEngine()
