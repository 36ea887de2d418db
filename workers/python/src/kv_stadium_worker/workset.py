"""The entries that a trial works on: generated from a seed, or the user's own.

Generated entries are byte for byte those that a trial in Java generates from the same seed.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator

from .distribution import stream
from .mixing import GAMMA, MASK, Draws, Permutation, derive, hash_bytes, mix, reduce
from .sizes import Sizes, java_round

INDEX_CHARACTERS = 10
ALPHANUMERIC = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PRINTABLE = bytes(sorted(ALPHANUMERIC + b"-_"))
STARTS = 1 << 20
SLICE = 1 << 16
TURN = 64
MATCH = 3
MOST_SORTED = 2_000_000
GENERATION_BITS = 28


class Keys:
    """Key i is a pure function of the seed and i; keys with different i differ."""

    def __init__(self, spec: dict, count: int, room: int, seed: int) -> None:
        self.form = spec["form"]
        self.least, self.most = spec["minLength"], spec["maxLength"]
        self.salt = derive(seed, "keys")
        least = self.least
        self.domain = {
            "UINT32": 1 << 32,
            "UINT64": (1 << 63) - 1,
            "DIGITS": 10 ** min(least, 18),
            "RANDOM_STRING": 62 ** min(least, INDEX_CHARACTERS),
            "RANDOM_BYTES": 1 << 8 * least if least < 8 else (1 << 63) - 1,
        }[self.form]
        if count < 1 or room > self.domain:
            raise ValueError(f"there cannot be {room} keys of form {self.form}, {least} bytes long")
        self.scatter = Permutation(min(self.domain, 1 << 62), self.salt)
        self.ascending = self.form in ("UINT32", "UINT64", "DIGITS")

    def key(self, i: int) -> bytes:
        form = self.form
        if form == "UINT32":
            return i.to_bytes(4, "big")
        if form == "UINT64":
            return i.to_bytes(8, "big")
        if form == "DIGITS":
            return b"%0*d" % (self.least, i)
        mixed = form == "RANDOM_BYTES" and self.least >= 8
        code = mix(i + self.salt) if mixed else self.scatter.at(i)
        length = self.least
        if self.most > self.least:
            length += reduce(mix(code ^ ~self.salt), self.most - self.least + 1)
        return self._string(code, length) if form == "RANDOM_STRING" else self._bytes(code, length)

    def _string(self, place: int, length: int) -> bytes:
        carried = min(self.least, INDEX_CHARACTERS)
        out = bytearray(carried)
        rest = place
        for p in range(carried - 1, -1, -1):
            rest, digit = divmod(rest, 62)
            out[p] = ALPHANUMERIC[digit]
        state = (place ^ self.salt) & MASK
        while len(out) < length:
            state = state + GAMMA & MASK
            bits = mix(state)
            for _ in range(4):
                product = bits * 3844
                pair, bits = product >> 64, product & MASK
                out.append(ALPHANUMERIC[pair // 62])
                out.append(ALPHANUMERIC[pair % 62])
        return bytes(out[:length])

    def _bytes(self, code: int, length: int) -> bytes:
        p = min(self.least, 8)
        out = code.to_bytes(8, "big")[8 - p :]
        state = (code ^ self.salt) & MASK
        while p <= length - 8:
            state = state + GAMMA & MASK
            out += mix(state).to_bytes(8, "big")
            p += 8
        return out + mix(state + GAMMA).to_bytes(8, "little")[: length - p]


class Values:
    """A value is a header of index and generation, then slices of a pool of random content."""

    def __init__(self, spec: dict, seed: int) -> None:
        self.text = spec["form"] == "TEXT"
        self.header = 11 if self.text else 8
        self.sizes = Sizes(spec["sizes"])
        self.salt = derive(seed, "values")
        self.pool = self._pool(spec["compressibility"], derive(seed, "pool"))

    def _pool(self, compressibility: float, seed: int) -> bytes:
        fresh = TURN
        if compressibility:
            size = max(self.sizes.mean, 2.0 * self.header)
            share = ((1 - compressibility) * size - self.header) / (size - self.header)
            fresh = min(max(java_round(share * TURN) - MATCH, 1), TURN)
        table = bytes(PRINTABLE[b & 63] for b in range(256))
        filler = (b" " if self.text else b"\0") * (TURN - fresh)
        words = range((fresh + 7) // 8)
        random = Draws(seed).bits
        turns = []
        for _ in range((STARTS + SLICE) // TURN):
            turn = b"".join([random().to_bytes(8, "little") for _ in words])[:fresh]
            turns.append((turn.translate(table) if self.text else turn) + filler)
        return b"".join(turns)

    def identity(self, i: int, generation: int) -> int:
        return mix((i << GENERATION_BITS | generation) ^ self.salt)

    def length(self, i: int, generation: int) -> int:
        return self.sizes.pick(self.identity(i, generation))

    def value(self, i: int, generation: int) -> bytes:
        identity = self.identity(i, generation)
        length = self.sizes.pick(identity)
        if self.text:
            out = bytes(PRINTABLE[identity >> 6 * k & 63] for k in range(min(11, length)))
        else:
            out = identity.to_bytes(8, "big")[:length]
        state = identity
        rest = length - len(out)
        while rest > 0:
            start = state & STARTS - 1
            out += self.pool[start : start + min(rest, SLICE)]
            rest = length - len(out)
            state = mix(state + GAMMA)
        return out


class GeneratedWorkset:
    """Entries generated from a seed."""

    def __init__(self, data: dict, seed: int, extra: int = 0) -> None:
        self.count = self.size = data["records"]
        self.room = self.size + extra
        self.keys = Keys(data["keys"], self.count, self.room, seed)
        self.values = Values(data["values"], seed)
        self.sequential = data["order"] == "SEQUENTIAL"
        self.data, self.seed = data, seed
        self.key = self.keys.key
        self.value = self.values.value
        self.value_length = self.values.length

    def entries(self) -> Iterator[tuple[bytes, bytes]]:
        law = "sequential" if self.sequential else "shuffled"
        following = stream(law, self.count, self.seed, derive(self.seed, "load order"))
        for _ in range(self.count):
            i = following()
            yield self.key(i), self.value(i, 0)

    def matches(self, i: int, generation: int, value: bytes) -> bool:
        return value == self.value(i, generation)

    def key_order(self) -> list[int] | None:
        """Indexes in key order; None if keys ascend with the index, or if there are too many."""
        if self.keys.ascending or self.count > MOST_SORTED:
            return None
        return sorted(range(self.count), key=self.key)

    def describe(self) -> dict[str, str]:
        keys, values = self.data["keys"], self.data["values"]
        least, most = keys["minLength"], keys["maxLength"]
        sizes = values["sizes"]
        return {
            "source": "generated",
            "entries": str(self.count),
            "key form": keys["form"].lower().replace("_", "-"),
            "key bytes": str(most) if least == most else f"{least}..{most}",
            "value form": "text" if values["form"] == "TEXT" else "bytes",
            "value bytes": sizes if len(sizes) <= 80 else sizes[:79] + "…",
            "compressible": f"{java_round(values['compressibility'] * 100)} %",
            "load order": "sequential" if self.sequential else "random",
            "seed": str(self.seed),
        }


class _Sample:
    __slots__ = ("key", "ordinal", "length", "digest", "value")


def _digest(value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=16).digest()


class DatasetWorkset:
    """The user's own data: all of it is loaded, and a sample of the keys is worked on.

    The sample is the same as in a trial in Java: the keys with the smallest hashes. Loaded values
    are verified by length and digest; updates write values of other entries held in memory.
    """

    MOST_KEYS = 100_000
    MOST_VALUE_BYTES = 32 << 20

    def __init__(self, source: dict, seed: int) -> None:
        self.source = source
        self._sample(seed)

    def entries(self) -> Iterator[tuple[bytes, bytes]]:
        return _entry_file(self.source["copy"])

    def _sample(self, seed: int) -> None:
        salt = derive(seed, "sample")
        samples: dict[int, _Sample] = {}
        largest: list[int] = []  # the negatives of the sampled priorities
        held: list[int] = []  # the negatives of those whose value is held
        held_bytes = self.bytes = self.count = 0
        hold_below = 1 << 63
        for ordinal, (key, value) in enumerate(self.entries()):
            self.count += 1
            self.bytes += len(key) + len(value)
            priority = mix(hash_bytes(key) ^ salt)
            priority -= priority >> 63 << 64  # signed, as Java compares it
            if len(samples) == self.MOST_KEYS and priority > -largest[0]:
                continue
            sample = samples.get(priority)
            if sample is None:
                sample = samples[priority] = _Sample()
                sample.key, sample.value = key, None
                heapq.heappush(largest, -priority)
                heapq.heappush(held, -priority)
            elif sample.key != key:
                continue  # two keys with the same hash: the first stays
            held_bytes -= len(sample.value or b"")
            sample.ordinal, sample.length = ordinal, len(value)
            sample.digest = _digest(value)
            sample.value = value if priority < hold_below else None
            held_bytes += len(sample.value or b"")
            if len(samples) > self.MOST_KEYS:
                gone = samples.pop(-heapq.heappop(largest))
                held_bytes -= len(gone.value or b"")
                gone.value = None
            while held_bytes > self.MOST_VALUE_BYTES and len(held) > 1:
                hold_below = -heapq.heappop(held)
                last = samples.get(hold_below)
                if last is not None:
                    held_bytes -= len(last.value or b"")
                    last.value = None
        self.samples = sorted(samples.values(), key=lambda sample: sample.ordinal)
        self.size = self.room = len(self.samples)
        self.pool = [s.value for s in self.samples if s.value is not None]
        place = -1
        self.start = []
        for k, sample in enumerate(self.samples):
            if sample.value is not None:
                place += 1
            self.start.append(place if sample.value is not None else k)

    def key(self, i: int) -> bytes:
        return self.samples[i].key

    def value(self, i: int, generation: int) -> bytes:
        sample = self.samples[i]
        if generation > 0:
            return self.pool[(self.start[i] + generation) % len(self.pool)]
        if sample.value is None:
            raise ValueError("a loaded value is not held in memory")
        return sample.value

    def value_length(self, i: int, generation: int) -> int:
        return self.samples[i].length if generation == 0 else len(self.value(i, generation))

    def matches(self, i: int, generation: int, value: bytes) -> bool:
        if generation > 0:
            return value == self.value(i, generation)
        sample = self.samples[i]
        return len(value) == sample.length and _digest(value) == sample.digest

    def key_order(self) -> list[int]:
        return sorted(range(self.size), key=self.key)

    def describe(self) -> dict[str, str]:
        return {"source": self.source["path"], "entries": f"{self.count:,}"}


def _entry_file(path: str) -> Iterator[tuple[bytes, bytes]]:
    """Reads the copy of the data that Stadium has made: lengths and bytes of keys and values."""
    with open(path, "rb", buffering=1 << 16) as file:
        while (head := file.read(4)) != b"\xff\xff\xff\xff":
            if len(head) < 4:
                raise ValueError(f"the copy of the data in {path} is truncated: run again")
            key = file.read(int.from_bytes(head, "big"))
            yield key, file.read(int.from_bytes(file.read(4), "big"))


def workset(plan: dict, extra: int = 0) -> GeneratedWorkset | DatasetWorkset:
    if plan.get("source"):
        return DatasetWorkset(plan["source"], plan["seed"])
    return GeneratedWorkset(plan["data"], plan["seed"], extra)
