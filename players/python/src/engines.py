"""The bindings: what each declares, and how a store is opened and used through it."""

from __future__ import annotations

import importlib
import importlib.metadata
import itertools
import os
import sqlite3
import sys


class Lmdb:
    """Each call in a transaction of its own, as the binding's users write it."""

    TITLE, PACKAGE, LICENCE, HOME = "LMDB", "lmdb", "OLDAP-2.8", "https://symas.com/lmdb"
    LEVELS = {
        "process": {"sync": False},
        "consistent": {"metasync": False},
        "power": {},
        "engine-default": {},
    }

    def __init__(self, directory, options, level, access):
        read_only = options.get("read_only") == "true"
        self.environment = importlib.import_module("lmdb").open(
            directory,
            map_size=1 << 40,
            readonly=read_only,
            max_dbs=0,
            **({} if read_only else self.LEVELS[level]),
        )
        self.begin = self.environment.begin
        self.close = self.environment.close

    def get(self, key):
        with self.begin() as transaction:
            return transaction.get(key)

    def get_many(self, keys):
        with self.begin() as transaction:
            return [transaction.get(key) for key in keys]

    def put(self, key, value):
        with self.begin(write=True) as transaction:
            transaction.put(key, value)

    def delete(self, key):
        with self.begin(write=True) as transaction:
            transaction.delete(key)

    def write(self, entries):
        with self.begin(write=True) as transaction:
            for key, value in entries:
                if value is None:
                    transaction.delete(key)
                else:
                    transaction.put(key, value)

    def scan(self, start, count):
        with self.begin() as transaction, transaction.cursor() as cursor:
            if not cursor.set_range(start):
                return []
            return list(itertools.islice(cursor.iternext(), count))

    def scan_all(self):
        with self.begin() as transaction, transaction.cursor() as cursor:
            yield from cursor.iternext()


class RocksDb:
    """Keys and values are bytes; unless the access is raw, the binding marks each with its type."""

    TITLE, PACKAGE, LICENCE, HOME = "RocksDB", "rocksdict", "Apache-2.0", "https://rocksdb.org"
    ACCESS = ["single", "raw"]
    LEVELS = {
        "none": "WriteOptions.disable_wal=True",
        "process": "WriteOptions.sync=False",
        "power": "WriteOptions.sync=True",
        "engine-default": "WriteOptions.sync=False",
    }
    OPTIONS = {
        "compression": ["none", "snappy", "zlib", "bzip2", "lz4", "lz4hc", "zstd"],
        "transactions": ["none"],
        "mode": ["primary", "secondary"],  # with read_only=true: an instance beside a writer
    }
    BUSY = [
        "rocksdb.num-running-compactions",
        "rocksdb.num-running-flushes",
        "rocksdb.compaction-pending",
        "rocksdb.mem-table-flush-pending",
    ]

    def __init__(self, directory, options, level, access):
        self.binding = binding = importlib.import_module(self.PACKAGE)
        self.raw = access == "raw"
        settings = binding.Options(raw_mode=self.raw)
        settings.create_if_missing(True)
        if "compression" in options:
            name = options["compression"].replace("bzip2", "bz2")
            kind = getattr(binding.DBCompressionType, name)
            settings.set_compression_type(kind())
        kind = binding.AccessType.read_write()
        if options.get("mode") == "secondary":
            settings.set_max_open_files(-1)
            kind = binding.AccessType.secondary(os.path.join(directory, "..", "secondary"))
        elif options.get("read_only") == "true":
            kind = binding.AccessType.read_only(False)
        self.database = database = binding.Rdict(directory, settings, access_type=kind)
        self.write_options = binding.WriteOptions()
        if level == "none":
            self.write_options.disable_wal = True
        self.write_options.sync = level == "power"
        database.set_write_options(self.write_options)
        self.get = self.get_many = database.get
        self.put = database.__setitem__
        self.delete = database.__delitem__
        self.close = database.close
        self.scan_all = database.items

    def write(self, entries):
        batch = self.binding.WriteBatch(raw_mode=self.raw)
        for key, value in entries:
            if value is None:
                batch.delete(key)
            else:
                batch.put(key, value)
        self.database.write(batch, self.write_options)

    def scan(self, start, count):
        return list(itertools.islice(self.database.items(from_key=start), count))

    def background(self):
        number = self.database.property_int_value
        jobs = sum(number(name) or 0 for name in self.BUSY)
        return jobs, number("rocksdb.estimate-pending-compaction-bytes") or 0


class SpeedDb(RocksDb):
    TITLE, PACKAGE, HOME = "Speedb", "speedict", "https://github.com/speedb-io/speedb"
    OPTIONS = {**RocksDb.OPTIONS, "mode": ["primary"]}


class Sqlite:
    """One connection; each write commits on its own."""

    TITLE, PACKAGE, LICENCE, HOME = "SQLite", None, "blessing", "https://sqlite.org"
    LEVELS = {
        "process": "journal_mode=WAL, synchronous=OFF",
        "consistent": "journal_mode=WAL, synchronous=NORMAL",
        "power": "journal_mode=WAL, synchronous=FULL",
        "engine-default": "journal_mode=DELETE, synchronous=FULL",
    }
    OPTIONS = {"journal_mode": ["wal"]}

    TABLE = "CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"
    PUT = "INSERT OR REPLACE INTO entries VALUES (?, ?)"
    GET = "SELECT value FROM entries WHERE key = ?"
    DELETE = "DELETE FROM entries WHERE key = ?"
    SCAN = "SELECT key, value FROM entries WHERE key >= ? ORDER BY key LIMIT ?"

    def __init__(self, directory, options, level, access):
        path = os.path.join(directory, "store.sqlite")
        if options.get("read_only") == "true":
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
        else:
            created = not os.path.exists(path)
            connection = sqlite3.connect(path, isolation_level=None)
            for setting in self.LEVELS[level].split(", "):
                connection.execute("PRAGMA " + setting).fetchone()
            if created:
                connection.execute(self.TABLE)
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
        for key, value in entries:
            if value is None:
                self.execute(self.DELETE, (key,))
            else:
                self.execute(self.PUT, (key, value))
        self.execute("COMMIT")

    def scan(self, start, count):
        return self.execute(self.SCAN, (start, count)).fetchall()

    def scan_all(self):
        return self.execute("SELECT key, value FROM entries ORDER BY key")


class Null:
    """Stores nothing: measures the measuring."""

    TITLE, PACKAGE, LICENCE, HOME = "Null", None, "", ""
    CAPABILITIES = ["write", "batch"]
    LEVELS = {"none": "nothing is kept", "engine-default": "nothing is kept"}

    def __init__(self, directory, options, level, access):
        pass

    def put(self, key, value):
        pass

    def delete(self, key):
        pass

    def write(self, entries):
        pass

    def close(self):
        pass


ENGINES = {"lmdb": Lmdb, "null": Null, "rocksdb": RocksDb, "speedb": SpeedDb, "sqlite": Sqlite}
KEEPS = ["persistent", "write", "scan", "ordered-scan", "batch", "read-only"]


def describe(name: str) -> dict:
    """What Stadium must know to plan trials."""
    engine = ENGINES[name]
    package = engine.PACKAGE
    version, binding, unavailable = "", None, None
    if engine is Sqlite:
        version, binding = sqlite3.sqlite_version, "sqlite3"
    elif package:
        try:
            binding = f"{package} {importlib.metadata.version(package)}"
        except importlib.metadata.PackageNotFoundError:
            unavailable = (
                f"its Python package is missing: install it with {sys.executable} -m pip install"
                f" {package}"
            )
    return {
        "name": name,
        "title": engine.TITLE,
        "version": version,
        "binding": binding,
        "licence": engine.LICENCE,
        "home": engine.HOME,
        "capabilities": getattr(engine, "CAPABILITIES", KEEPS),
        "access": getattr(engine, "ACCESS", ["single"]),
        "durability": {level: _words(given) for level, given in engine.LEVELS.items()},
        "options": getattr(engine, "OPTIONS", {}),
        "unavailable": unavailable,
    }


def _words(given) -> str:
    if isinstance(given, str):
        return given
    return ", ".join(f"{name}={value}" for name, value in given.items()) or "the binding's"


def store(task: dict):
    """Opens the store of a task. Makes it if there is none, and syncs the names of its files."""
    directory = task["directory"]
    missing = not os.path.isdir(directory)
    os.makedirs(directory, exist_ok=True)
    engine = ENGINES[task["engine"]]
    opened = engine(directory, task["options"], task["durability"], task["access"])
    for each in (directory, os.path.dirname(directory)) if missing else ():
        names = os.open(each, os.O_RDONLY)
        os.fsync(names)
        os.close(names)
    return opened
