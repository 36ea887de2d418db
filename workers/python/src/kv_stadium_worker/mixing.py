"""Integer mixing, the arithmetic under keys, values and orders.

The same functions as in Stadium: their results determine the bytes of each entry, so no result
may ever change. `workers/vectors.json` checks that.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
M1 = 0xBF58476D1CE4E5B9
M2 = 0x94D049BB133111EB


def mix(x: int) -> int:
    """A bijection over 64 bits; takes any integer modulo 2^64."""
    x &= MASK
    x = ((x ^ (x >> 30)) * M1) & MASK
    x = ((x ^ (x >> 27)) * M2) & MASK
    return x ^ (x >> 31)


def reduce(random: int, n: int) -> int:
    """Maps 64 random bits to [0, n)."""
    return random * n >> 64


def derive(seed: int, part: str | int) -> int:
    """The seed for a named or numbered part."""
    if isinstance(part, int):
        return mix(mix(seed + GAMMA) ^ ((part * GAMMA + 1) & MASK))
    h = mix(seed + GAMMA)
    units = part.encode("utf-16-be")
    for k in range(0, len(units), 2):
        h = mix(h ^ (units[k] << 8 | units[k + 1])) + GAMMA & MASK
    return mix(h ^ (len(units) // 2 << 32))


def hash_bytes(data: bytes) -> int:
    """64 bits of a byte string's content."""
    h = mix(len(data) * GAMMA + 1)
    whole = len(data) & ~7
    for p in range(0, whole, 8):
        h = mix(h ^ int.from_bytes(data[p : p + 8], "little")) + GAMMA & MASK
    return mix(h ^ int.from_bytes(data[whole:], "little"))


class Draws:
    """SplitMix64."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def bits(self) -> int:
        self.state = x = (self.state + GAMMA) & MASK
        x = ((x ^ (x >> 30)) * M1) & MASK
        x = ((x ^ (x >> 27)) * M2) & MASK
        return x ^ (x >> 31)

    def below(self, n: int) -> int:
        return self.bits() * n >> 64

    def unit(self) -> float:
        """Uniform in [0, 1), in steps of 2^-53."""
        return (self.bits() >> 11) * 2.0**-53


class Permutation:
    """A seeded random order of [0, n) that needs no memory."""

    def __init__(self, n: int, seed: int) -> None:
        bits = max(1, (n - 1).bit_length())
        self.n = n
        self.mask = (1 << bits) - 1
        self.shift = (bits + 1) // 2
        rounds = 12 if n <= 1 << 8 else 4
        self.steps = [
            (derive(seed, 2 * r) & self.mask, (derive(seed, 2 * r + 1) | 1) & self.mask)
            for r in range(rounds)
        ]

    def at(self, position: int, first: int = 0) -> int:
        """The index at a position of the order, or of an order of only the first `first` ones."""
        limit, mask, shift, x = first or self.n, self.mask, self.shift, position
        while True:
            for add, multiply in self.steps:
                x = (x + add) * multiply & mask
                x ^= x >> shift
            if x < limit:
                return x


class AliasTable:
    """Draws one of n classes by their weights from a single 64-bit number."""

    def __init__(self, weights: list[float]) -> None:
        n = len(weights)
        total = 0.0
        for weight in weights:
            total += weight
        self.keep = [0] * n
        self.other = [0] * n
        height = [weight / total * n for weight in weights]
        columns = [0] * n
        low, high = 0, n
        for k in range(n):
            if height[k] < 1:
                columns[low] = k
                low += 1
            else:
                high -= 1
                columns[high] = k
        while low > 0 and high < n:
            low -= 1
            small, large = columns[low], columns[high]
            self.keep[small] = int(height[small] * 2.0**63) << 1
            self.other[small] = large
            height[large] -= 1 - height[small]
            if height[large] < 1:
                high += 1
                columns[low] = large
                low += 1
        for k in columns[:low] + columns[high:]:
            self.other[k] = k

    def pick(self, random: int) -> int:
        n = len(self.keep)
        column = random * n >> 64
        return column if random * n & MASK < self.keep[column] else self.other[column]


class TailTable:
    """A function of a uniform number in (0, 1], tabulated finer towards 0."""

    CELL_BITS = 7
    HALVINGS = 40

    def __init__(self, function) -> None:
        cells = 1 << self.CELL_BITS
        self.ends = [0.0] * (self.HALVINGS * cells + 1)
        for halving in range(self.HALVINGS):
            start = 2.0 ** (-halving - 1)
            row = (self.HALVINGS - 1 - halving) * cells
            for cell in range(cells):
                self.ends[row + cell] = function(start + start * cell / cells)
        self.ends[-1] = function(1.0)

    def at(self, random: int) -> float:
        halving = min(64 - random.bit_length(), self.HALVINGS - 1)
        rest = random << (halving + 1) & MASK
        cell = rest >> (64 - self.CELL_BITS)
        between = ((rest << self.CELL_BITS & MASK) >> 11) * 2.0**-53
        k = (self.HALVINGS - 1 - halving) * (1 << self.CELL_BITS) + cell
        return self.ends[k] + between * (self.ends[k + 1] - self.ends[k])
