"""Entries, draws and histograms are the same as in a trial in Java."""

import base64
import itertools
import json
import pathlib
import unittest
import zlib

from kv_stadium_worker.distribution import growing, stream
from kv_stadium_worker.histogram import Histogram
from kv_stadium_worker.mixing import Draws, derive, hash_bytes
from kv_stadium_worker.sizes import Sizes
from kv_stadium_worker.workset import GeneratedWorkset

VECTORS = json.loads((pathlib.Path(__file__).parents[2] / "vectors.json").read_text("utf-8"))


def shown(value: bytes) -> str:
    return f"{len(value)}:{hash_bytes(value):x}"


class Vectors(unittest.TestCase):
    def test_entries(self):
        for case in VECTORS["data"]:
            with self.subTest(case["data"]):
                workset = GeneratedWorkset(case["data"], case["seed"])
                expected = case["entries"]
                first = itertools.islice(workset.entries(), len(expected))
                self.assertEqual([[k.hex(), shown(v)] for k, v in first], expected)
                updated = [
                    [workset.key(i).hex(), shown(workset.value(i, 3))]
                    for i in range(len(case["updated"]))
                ]
                self.assertEqual(updated, case["updated"])

    def test_draws(self):
        for case in VECTORS["draws"]:
            with self.subTest(case["law"], n=case["n"]):
                draw = stream(case["law"], case["n"], case["placement"], case["draws"])
                self.assertEqual([draw() for _ in case["indexes"]], case["indexes"])

    def test_draws_from_keys_that_grow(self):
        for case in VECTORS["growing"]:
            with self.subTest(case["law"]):
                drawn = 0
                draw = growing(
                    case["law"],
                    lambda: case["n"] + drawn,
                    case["room"],
                    case["placement"],
                    case["draws"],
                )
                found = []
                for drawn in range(10 * len(case["indexes"])):
                    index = draw()
                    if drawn % 10 == 0:
                        found.append(index)
                self.assertEqual(found, case["indexes"])

    def test_sizes(self):
        for case in VECTORS["counts"]:
            with self.subTest(case["law"]):
                sizes, draws = Sizes(case["law"]), Draws(derive(case["draws"], 0))
                found = [max(1, sizes.pick(draws.bits())) for _ in case["counts"]]
                self.assertEqual(found, case["counts"])

    def test_histogram(self):
        case = VECTORS["histogram"]
        histogram = Histogram()
        histogram.record(case["values"])

        packed = base64.b64decode(histogram.encoded())

        self.assertEqual(zlib.decompress(packed[8:])[40:], base64.b64decode(case["payload"]))


if __name__ == "__main__":
    unittest.main()
