"""Latencies in HdrHistogram's format: three digits, encoded as V2, compressed, in Base64."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterable

DIGITS = 3
HALF_MAGNITUDE = 10
HALF = 1 << HALF_MAGNITUDE  # sub-buckets added by a doubling: twice 1,024 resolve 3 digits
V2 = 0x1C849303 | 0x10
V2_COMPRESSED = 0x1C849304 | 0x10


class Histogram:
    """Counts by HdrHistogram's index."""

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        self.total = 0
        self.most = 0

    def record(self, values: Iterable[int]) -> None:
        counts = self.counts
        for value in values:
            bucket = max(0, value.bit_length() - HALF_MAGNITUDE - 1)
            index = (bucket << HALF_MAGNITUDE) + (value >> bucket)
            counts[index] = counts.get(index, 0) + 1
            self.total += 1
            if value > self.most:
                self.most = value

    def encoded(self) -> str:
        payload = bytearray()
        expected = 0
        for index in sorted(self.counts):
            if index > expected:
                _zigzag(payload, expected - index)  # the number of zeros, negated
            _zigzag(payload, self.counts[index])
            expected = index + 1
        highest = max(self.most, 2 * HALF)
        header = struct.pack(">iiiiqqd", V2, len(payload), 0, DIGITS, 1, highest, 1.0)
        packed = zlib.compress(header + payload, 9)
        return base64.b64encode(struct.pack(">ii", V2_COMPRESSED, len(packed)) + packed).decode()


def _zigzag(out: bytearray, number: int) -> None:
    """HdrHistogram's 64-bit LEB128, whose ninth byte holds eight bits of the number."""
    rest = (number << 1 ^ number >> 63) & 0xFFFFFFFFFFFFFFFF
    for _ in range(8):
        if rest < 0x80:
            out.append(rest)
            return
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
