"""Every installed binding does what it declares."""

import os
import tempfile
import unittest

from kv_stadium_worker.engines import MODULES, engine, given


def installed():
    for name in sorted(MODULES):
        found = engine(name)
        declared = found.declare()
        if name != "null" and declared["unavailable"] is None:
            yield found, declared


class Engines(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.opened = 0

    def fresh(self, found, level, access="single"):
        self.opened += 1
        directory = os.path.join(self.folder.name, str(self.opened))
        os.mkdir(directory)
        return directory, found.open(directory, {}, level, access, True)

    def test_keeps_what_was_written_at_every_level_and_access(self):
        for found, declared in installed():
            levels = [each["level"] for each in declared["durability"]]
            for level, access in [(x, "single") for x in levels] + [
                (levels[0], x) for x in declared["access"]
            ]:
                with self.subTest(declared["name"], level=level, access=access):
                    directory, store = self.fresh(found, level, access)
                    store.put(b"a", b"1")
                    store.put(b"b", b"2")
                    store.put(b"c", b"3")
                    store.put(b"b", b"22")
                    store.delete(b"a")
                    store.write([(b"d", b"4"), (b"c", None), (b"e", b"")])
                    self.check(store)
                    store.close()
                    store = found.open(directory, {}, level, access, False)
                    self.check(store)
                    store.close()
                    reader = found.open(directory, {"read_only": "true"}, level, access, False)
                    self.check(reader)
                    reader.close()

    def check(self, store):
        self.assertEqual(store.get(b"b"), b"22")
        self.assertIsNone(store.get(b"a"))
        self.assertEqual(list(store.get_many([b"a", b"e", b"d"])), [None, b"", b"4"])
        everything = [(b"b", b"22"), (b"d", b"4"), (b"e", b"")]
        self.assertEqual(list(store.scan_all()), everything)
        self.assertEqual(store.scan(b"c", 1), everything[1:2])
        self.assertEqual(store.scan(b"x", 5), [])

    def test_a_secondary_instance_reads_beside_the_writer(self):
        found = engine("rocksdb")
        if found.declare()["unavailable"]:
            self.skipTest("rocksdict is not installed")
        directory, store = self.fresh(found, "process")
        store.put(b"a", b"1")
        options = {"mode": "secondary", "read_only": "true"}
        reader = found.open(directory, options, "process", "single", False)
        self.assertEqual(reader.get(b"a"), b"1")
        reader.close()
        store.close()

    def test_compression_takes_effect(self):
        for name in ("rocksdb", "speedb"):
            found = engine(name)
            if found.declare()["unavailable"]:
                continue
            with self.subTest(name):
                directory = os.path.join(self.folder.name, name)
                os.mkdir(directory)
                store = found.open(directory, {"compression": "zstd"}, "process", "single", True)
                store.close()
                options = [f for f in os.listdir(directory) if f.startswith("OPTIONS")]
                with open(os.path.join(directory, max(options)), encoding="utf-8") as file:
                    self.assertIn("compression=kZSTD", file.read())

    def test_a_level_that_is_not_there_is_given_by_the_next_stronger_one(self):
        declared = {"name": "x", "durability": [{"level": "process"}, {"level": "power"}]}

        self.assertEqual(given(declared, "none"), "process")
        self.assertEqual(given(declared, "consistent"), "power")
        self.assertEqual(given(declared, "power"), "power")
        with self.assertRaisesRegex(ValueError, "cannot give durability engine-default"):
            given(declared, "engine-default")


if __name__ == "__main__":
    unittest.main()
