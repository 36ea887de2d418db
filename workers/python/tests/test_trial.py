"""A trial's course, and that it finds what is wrong."""

import os
import tempfile
import unittest
from unittest import mock

from kv_stadium_worker.engines import sqlite
from kv_stadium_worker.trial import Trial
from kv_stadium_worker.usage import Collections, Memory
from kv_stadium_worker.workset import DatasetWorkset

SHAPE = {"batch": 1, "keys": 1, "parallelism": 1, "scanLength": "10", "mix": {}}


def phase(name, operation, operations=0, seconds=0, distribution="uniform", **shape):
    return {
        "name": name,
        "operation": operation,
        "operations": operations,
        "seconds": seconds,
        "threads": 1,
        "shape": {**SHAPE, **shape},
        "distribution": distribution,
        "rate": None,
        "cold": False,
        "beside": None,
    }


class Recorder:
    def __init__(self):
        self.done = None

    def send(self, kind, **fields):
        self.done = fields

    def progress(self, name, share=0.0):
        pass


class Trials(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.collections = Collections()

    def run_trial(self, phases, engine="sqlite", **plan):
        link = Recorder()
        Trial(
            {
                "configuration": {
                    "engine": engine,
                    "options": {},
                    "reopen": {},
                    "durability": "CONSISTENT" if engine == "sqlite" else "NONE",
                    "access": "SINGLE",
                },
                "number": 1,
                "seed": 5,
                "directory": os.path.join(self.folder.name, "trial"),
                "data": {
                    "records": 300,
                    "keys": {"form": "RANDOM_BYTES", "minLength": 16, "maxLength": 16},
                    "order": "RANDOM",
                    "values": {"form": "BYTES", "sizes": "20", "compressibility": 0.0},
                },
                "source": None,
                "phases": phases,
                "warmUpSeconds": 0,
                "chunks": {},
                **plan,
            },
            link,
            Memory(),
            self.collections,
        ).run()
        return link.done["result"]

    def test_phases_create_open_and_close_are_there(self):
        result = self.run_trial(
            [phase("load", "INSERT"), phase("read", "GET", 50), phase("open", "OPEN_GET", 20)]
        )

        self.assertIsNone(result["failure"])
        names = [each["name"] for each in result["phases"]]
        self.assertEqual(
            names,
            ["create", "load", "open", "read", "open", "open, fresh process", "close"],
        )
        self.assertEqual(result["phases"][5]["operations"], 1)
        self.assertEqual(result["card"]["liveBytes"], 300 * 36)
        self.assertGreater(result["card"]["diskBytes"], 300 * 36)

    def test_a_warm_up_finds_that_the_null_engine_is_quick(self):
        result = self.run_trial(
            [phase("update", "UPDATE", seconds=0.02)], engine="null", warmUpSeconds=0.1
        )

        self.assertIsNone(result["failure"])
        self.assertEqual(result["phases"][1]["batch"], 32)
        self.assertEqual(os.listdir(os.path.join(self.folder.name, "trial")), ["store"])

    def test_a_lost_entry_is_no_figure(self):
        with mock.patch.object(sqlite.SqliteStore, "get", lambda self, key: None):
            result = self.run_trial([phase("load", "INSERT"), phase("read", "GET", 50)])

        self.assertIn("50 of 50 reads missed keys", result["failure"])

    def test_a_wrong_value_is_no_figure(self):
        with mock.patch.object(sqlite.SqliteStore, "get", lambda self, key: bytes(20)):
            result = self.run_trial([phase("load", "INSERT"), phase("read", "GET", 50)])

        self.assertIn("gave other bytes than were written", result["failure"])

    def test_a_scan_that_ends_early_is_no_figure(self):
        short = lambda self, start, count: sqlite.SqliteStore.scan_of(self, start, count)[:2]  # noqa: E731
        sqlite.SqliteStore.scan_of = sqlite.SqliteStore.scan
        self.addCleanup(delattr, sqlite.SqliteStore, "scan_of")
        with mock.patch.object(sqlite.SqliteStore, "scan", short):
            result = self.run_trial([phase("load", "INSERT"), phase("scan", "SCAN", 50)])

        self.assertIn("ended after 2 entries", result["failure"])

    def test_deleted_entries_are_gone_and_added_ones_there(self):
        result = self.run_trial(
            [
                phase("load", "INSERT", batch=100),
                phase("mix", "MIXED", 200, mix={"GET": 0.5, "INSERT": 0.5}),
                phase("delete", "DELETE", 120),
                phase("all", "SCAN_ALL"),
            ]
        )

        self.assertIsNone(result["failure"])
        mixed = result["phases"][3]
        self.assertEqual(mixed["operations"], 200)
        self.assertGreater(result["phases"][5]["operations"], 180)

    def test_what_breaks_says_where(self):
        with mock.patch.object(sqlite.SqliteStore, "put", side_effect=OSError("disk on fire")):
            result = self.run_trial([phase("load", "INSERT")])

        self.assertRegex(result["failure"], "the trial broke: OSError: disk on fire at .*:\\d+")


class OwnData(unittest.TestCase):
    def test_files_of_a_directory_are_entries_by_their_names(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "sub"))
            for name, text in [("b.json", "2"), ("a.json", "11"), ("sub/c", "3"), (".x", "4")]:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            os.symlink("a.json", os.path.join(folder, "link"))

            workset = DatasetWorkset({"path": folder, "recurse": True}, 1)

            expected = [(b"a", b"11"), (b"b", b"2"), (b"sub/c", b"3")]
            self.assertEqual(list(workset.entries()), expected)
            self.assertEqual(workset.size, 3)
            for i, (key, value) in enumerate(expected):
                self.assertEqual(workset.key(i), key)
                self.assertTrue(workset.matches(i, 0, value))
                self.assertNotEqual(workset.value(i, 1), value)

    def test_names_that_differ_in_their_extensions_keep_them(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.json", "a.txt"):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(name)

            workset = DatasetWorkset({"path": folder, "recurse": True}, 1)

            self.assertEqual([key for key, _ in workset.entries()], [b"a.json", b"a.txt"])

    def test_only_so_many_values_are_held(self):
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(DatasetWorkset, "MOST_KEYS", 50),
            mock.patch.object(DatasetWorkset, "MOST_VALUE_BYTES", 100),
        ):
            for number in range(200):
                with open(os.path.join(folder, str(number)), "w", encoding="utf-8") as file:
                    file.write(f"{number:010}")

            workset = DatasetWorkset({"path": folder, "recurse": True}, 1)

            self.assertEqual((workset.count, workset.size), (200, 50))
            self.assertEqual(len(workset.pool), 10)


if __name__ == "__main__":
    unittest.main()
