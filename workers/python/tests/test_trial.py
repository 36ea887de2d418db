"""The course of a trial, and the errors that it must find."""

import os
import shutil
import tempfile
import unittest
from unittest import mock

from kv_stadium_worker import trial
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
        "background": None,
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

    def test_a_warm_up_decides_how_many_operations_share_a_reading_of_the_clock(self):
        for bound, chunk in [(1e12, 32), (0, 1)]:
            with mock.patch.object(trial, "CHUNK_BELOW_NANOS", bound):
                result = self.run_trial(
                    [phase("update", "UPDATE", 200)], engine="null", warmUpSeconds=0.1
                )

            self.assertIsNone(result["failure"])
            self.assertEqual(result["phases"][1]["batch"], chunk)
            folder = os.path.join(self.folder.name, "trial")
            self.assertEqual(os.listdir(folder), ["store"], "the warm-up's store is gone")
            shutil.rmtree(folder)

    def test_a_lost_entry_is_no_figure(self):
        with mock.patch.object(sqlite.SqliteStore, "get", lambda self, key: None):
            result = self.run_trial([phase("load", "INSERT"), phase("read", "GET", 50)])

        self.assertIn("50 of 50 reads missed keys", result["failure"])

    def test_a_wrong_value_is_no_figure(self):
        with mock.patch.object(sqlite.SqliteStore, "get", lambda self, key: bytes(20)):
            result = self.run_trial([phase("load", "INSERT"), phase("read", "GET", 50)])

        self.assertIn("gave other bytes than were written", result["failure"])

    def test_a_scan_that_ends_early_is_no_figure(self):
        whole = sqlite.SqliteStore.scan
        short = mock.patch.object(sqlite.SqliteStore, "scan", lambda *given: whole(*given)[:2])
        with short:
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
    def workset(self, entries: list[tuple[bytes, bytes]], end: bytes = b"\xff" * 4):
        """A workset from a copy such as Stadium makes."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "data.entries")
        with open(path, "wb") as file:
            for part in (part for entry in entries for part in entry):
                file.write(len(part).to_bytes(4, "big") + part)
            file.write(end)
        return DatasetWorkset({"path": "docs", "copy": path}, 1)

    def test_all_of_it_is_loaded_and_a_sample_worked_on(self):
        expected = [(b"a", b"11"), (b"b", b"2"), (b"sub/c", b"3")]

        workset = self.workset(expected)

        self.assertEqual(list(workset.entries()), expected)
        self.assertEqual(workset.size, 3)
        for i, (key, value) in enumerate(expected):
            self.assertEqual(workset.key(i), key)
            self.assertTrue(workset.matches(i, 0, value))
            self.assertNotEqual(workset.value(i, 1), value)

    def test_only_so_many_values_are_held(self):
        with (
            mock.patch.object(DatasetWorkset, "MOST_KEYS", 50),
            mock.patch.object(DatasetWorkset, "MOST_VALUE_BYTES", 100),
        ):
            workset = self.workset([(b"%d" % n, b"%010d" % n) for n in range(200)])

            self.assertEqual((workset.count, workset.size), (200, 50))
            self.assertEqual(len(workset.pool), 10)

    def test_a_copy_that_is_cut_off_is_refused(self):
        with self.assertRaisesRegex(ValueError, "data.entries is truncated: run again"):
            self.workset([(b"a", b"1")], end=b"\0\0")


if __name__ == "__main__":
    unittest.main()
