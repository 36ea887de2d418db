"""RocksDB through the package rocksdict, and Speedb through its twin speedict."""

from __future__ import annotations

import importlib
import itertools
import os

from . import missing

WIKI = "https://github.com/facebook/rocksdb/wiki/WAL-Performance"
PACKAGES = {"rocksdb": "rocksdict", "speedb": "speedict"}
TITLES = {"rocksdb": "RocksDB", "speedb": "Speedb"}
COMPRESSIONS = {
    "none": "none",
    "snappy": "snappy",
    "zlib": "zlib",
    "bzip2": "bz2",
    "lz4": "lz4",
    "lz4hc": "lz4hc",
    "zstd": "zstd",
}

BUSY = [
    "rocksdb.num-running-compactions",
    "rocksdb.num-running-flushes",
    "rocksdb.compaction-pending",
    "rocksdb.mem-table-flush-pending",
]


class RocksStore:
    """Keys and values are bytes; except in raw mode, the binding marks each with its type."""

    def __init__(self, binding, database, write_options, raw):
        self.binding, self.database, self.raw = binding, database, raw
        self.write_options = write_options
        self.get = database.get
        self.put = database.__setitem__
        self.delete = database.__delitem__
        self.get_many = database.get
        self.close = database.close

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

    def scan_all(self):
        return self.database.items()

    def background(self):
        number = self.database.property_int_value
        jobs = sum(number(name) or 0 for name in BUSY)
        return jobs, number("rocksdb.estimate-pending-compaction-bytes") or 0


class RocksEngine:
    def __init__(self, name):
        self.name, self.package = name, PACKAGES[name]
        try:
            self.binding = importlib.import_module(self.package)
        except ImportError:
            self.binding = None

    def declare(self):
        version = ""
        if self.binding:
            from importlib.metadata import PackageNotFoundError, version as version_of

            try:
                version = f"{self.package} {version_of(self.package)}"
            except PackageNotFoundError:
                version = self.package
        modes = ["primary", "secondary"] if self.name == "rocksdb" else ["primary"]
        return {
            "name": self.name,
            "title": TITLES[self.name],
            "version": version,
            "licence": "Apache-2.0 OR GPL-2.0-only",
            "description": f"{TITLES[self.name]} through the package {self.package}.",
            "capabilities": [
                "persistent", "write", "scan", "ordered-scan", "batch", "read-only",
            ],
            "access": ["single", "raw"],
            "durability": [
                {"level": "none", "settings": "WriteOptions.disable_wal=True"},
                {"level": "process", "settings": "WriteOptions.sync=False", "evidence": WIKI},
                {"level": "power", "settings": "WriteOptions.sync=True", "evidence": WIKI},
                {"level": "engine-default", "settings": "WriteOptions.sync=False"},
            ],
            "options": [
                {
                    "name": "compression",
                    "choices": list(COMPRESSIONS),
                    "description": "compression of blocks",
                },
                {
                    "name": "transactions",
                    "choices": ["none"],
                    "description": "the binding has none",
                },
                {
                    "name": "mode",
                    "choices": modes,
                    "description": "secondary, with read_only=true: an instance beside a writer",
                },
            ],
            "unavailable": None if self.binding else missing(self.package),
        }

    def open(self, directory, options, level, access, create):
        binding = self.binding
        raw = access == "raw"
        settings = binding.Options(raw_mode=raw)
        settings.create_if_missing(create)
        if "compression" in options:
            kind = getattr(binding.DBCompressionType, COMPRESSIONS[options["compression"]])
            settings.set_compression_type(kind())
        kind = binding.AccessType.read_write()
        if options.get("mode") == "secondary":
            settings.set_max_open_files(-1)
            kind = binding.AccessType.secondary(os.path.join(directory, "..", "secondary"))
        elif options.get("read_only") == "true":
            kind = binding.AccessType.read_only(False)
        database = binding.Rdict(directory, settings, access_type=kind)
        write_options = binding.WriteOptions()
        if level == "none":
            write_options.disable_wal = True
        write_options.sync = level == "power"
        database.set_write_options(write_options)
        return RocksStore(binding, database, write_options, raw)


def engine(name):
    return RocksEngine(name)
