"""Reads the operations of a trace, see docs/internals/trace-format.md. Checksums are not checked."""

from __future__ import annotations

import struct
from collections.abc import Iterator

GET, PUT, DELETE, SCAN, BATCH, BATCH_END, VALUE = 0, 2, 5, 8, 10, 11, 19
KINDS = (GET, PUT, DELETE, SCAN, BATCH, BATCH_END, VALUE)


def blocks(path: str) -> Iterator[list[tuple]]:
    """For each block: kind, whether it was a hit, key, length, limit, count of each operation."""
    with open(path, "rb") as file:
        header = file.read(16)
        if header[:8] != b"\x89KVTRAC\n" or header[8] > 2:
            raise ValueError(f"{path} is not a trace of version 2")
        while head := file.read(12):
            kind_and_length = struct.unpack(">I", head[4:8])[0]
            content = file.read(kind_and_length & 0xFFFFFF)
            if kind_and_length >> 24 == ord("O"):
                yield _operations(content)


def _operations(content: bytes) -> list[tuple]:
    at = 0
    keys: list[bytes] = []
    lengths: list[int] = []
    last = b""

    def varint() -> int:
        nonlocal at
        byte = content[at]
        at += 1
        if byte < 0x80:
            return byte
        value, shift = byte & 0x7F, 7
        while True:
            byte = content[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def key_number() -> int:
        nonlocal at, last
        code = varint()
        if code:
            return code - 2
        common, more = varint(), varint()
        last = last[:common] + content[at : at + more]
        at += more
        keys.append(last)
        lengths.append(0)
        return len(keys) - 1

    def length(before: int) -> int:
        zigzag = varint()
        return before + (zigzag >> 1 ^ -(zigzag & 1))

    for _ in range(4):
        varint()
    found = []
    while at < len(content):
        first = content[at]
        at += 1
        kind, hit = first & 0x1F, True
        if kind not in KINDS or first & 0x60:
            raise ValueError(f"a trace has an operation {first:#x}, which is not played")
        if first & 0x80:
            hit = content[at] == 0
            at += 1
        varint()  # time
        varint()  # duration
        key, size, limit, count = None, -1, -1, -1
        if kind in (GET, PUT, DELETE, SCAN):
            number = key_number()
            key = keys[number] if number >= 0 else None
        if kind == SCAN:
            key_number()
            at += 1
            limit = varint() - 1
            size = length(0)
        elif kind in (GET, PUT):
            size = length(lengths[number])
            if size >= 0:
                lengths[number] = size
        if kind in (SCAN, VALUE):
            count = varint() - 1
        found.append((kind, hit, key, size, limit, count))
    return found
