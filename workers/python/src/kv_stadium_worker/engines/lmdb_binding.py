"""LMDB through the package lmdb (py-lmdb)."""

from __future__ import annotations

import itertools

from . import missing

try:
    import lmdb
except ImportError:
    lmdb = None

MANUAL = "http://www.lmdb.tech/doc/group__mdb__env.html"

FLAGS = {
    "process": {"sync": False},
    "consistent": {"metasync": False},
    "power": {},
    "engine-default": {},
}


class LmdbStore:
    """Each call in a separate transaction, as the binding's users write it."""

    def __init__(self, environment):
        self.environment = environment
        self.begin = environment.begin
        self.close = environment.close

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

    def background(self):
        return 0, 0


class LmdbEngine:
    def declare(self):
        version = ""
        if lmdb:
            version = ".".join(map(str, lmdb.version())) + f" (lmdb {lmdb.__version__})"
        return {
            "name": "lmdb",
            "title": "LMDB",
            "version": version,
            "licence": "OLDAP-2.8",
            "description": "LMDB through the package lmdb.",
            "capabilities": [
                "persistent", "write", "scan", "ordered-scan", "batch", "read-only",
            ],
            "access": ["single"],
            "durability": [
                {"level": "process", "settings": "sync=False", "evidence": MANUAL},
                {"level": "consistent", "settings": "metasync=False", "evidence": MANUAL},
                {"level": "power", "settings": "sync=True, metasync=True", "evidence": MANUAL},
                {"level": "engine-default", "settings": "sync=True, metasync=True"},
            ],
            "options": [],
            "unavailable": None if lmdb else missing("lmdb"),
        }

    def open(self, directory, options, level, access, create):
        read_only = options.get("read_only") == "true"
        return LmdbStore(
            lmdb.open(
                directory,
                map_size=1 << 40,
                readonly=read_only,
                create=create,
                max_dbs=0,
                **({} if read_only else FLAGS[level]),
            )
        )


def engine(name):
    return LmdbEngine()
