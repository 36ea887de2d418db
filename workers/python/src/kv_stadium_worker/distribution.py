"""Which keys a phase asks for, and in which order: Stadium's own distributions, draw by draw.

Each function returns a stream, a function without arguments. Distributions that need logarithms
take them from the C library, whose last bit may differ from Java's: one draw in many billions may
differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from .mixing import AliasTable, Draws, Permutation, TailTable, derive

Stream = Callable[[], int]

GROWING_BLOCK = 64
"""Draws between two checks of the current number of keys."""


def needs_key_order(law: str) -> bool:
    return law.startswith("key-ranges")


def can_grow(law: str) -> bool:
    return law.startswith(("uniform", "zipfian", "latest"))


def stream(law: str, n: int, placement: int, draws: int) -> Stream:
    """Indexes below a fixed n."""
    name, _, argument = law.partition(":")
    if name == "sequential":
        return _walk(n, lambda position: position)
    if name == "shuffled":
        return _walk(n, Permutation(n, draws).at)
    if name == "only":
        there = min(int(argument), n - 1)
        return lambda: there
    random = Draws(derive(draws, 0))
    if name == "key-ranges":
        return _key_ranges(n, int(argument or 30), placement, random)
    draw = _Growing(law, n, placement, random)
    draw.resize(n)
    return draw.draw


def growing(law: str, population: Stream, room: int, placement: int, draws: int) -> Stream:
    """Indexes below a number that grows meanwhile, up to `room`."""
    draw = _Growing(law, room, placement, Draws(derive(draws, 0)))
    left, n = 0, -1

    def following() -> int:
        nonlocal left, n
        if left == 0:
            left = GROWING_BLOCK
            now = population()
            if now != n:
                n = now
                draw.resize(n)
        left -= 1
        return draw.draw()

    return following


def _walk(n: int, order: Callable[[int], int]) -> Stream:
    position = -1

    def following() -> int:
        nonlocal position
        position = 0 if position + 1 == n else position + 1
        return order(position)

    return following


class _Growing:
    """The distributions that can follow a growing population."""

    def __init__(self, law: str, room: int, placement: int, random: Draws) -> None:
        self.name, _, argument = law.partition(":")
        self.room, self.placement, self.random = room, placement, random
        self.n = 0
        if self.name in ("zipfian", "latest"):
            self.ranks = ZipfRanks(1, float(argument or 0.99))
            self.scatter = Permutation(1, placement)
        elif self.name != "uniform":
            raise ValueError(f"distribution '{law}' is unknown to this worker")
        self.draw: Stream = getattr(self, "_" + self.name)

    def resize(self, n: int) -> None:
        self.n = n
        if self.name in ("zipfian", "latest"):
            self.ranks.resize(n)
        if self.name == "zipfian":
            most = self.room
            while most // 2 > n:
                most //= 2
            if self.scatter.n != most:
                self.scatter = Permutation(most, self.placement)

    def _uniform(self) -> int:
        return self.random.bits() * self.n >> 64

    def _zipfian(self) -> int:
        return self.scatter.at(self.ranks.next(self.random) - 1, self.n)

    def _latest(self) -> int:
        return self.n - self.ranks.next(self.random)


class ZipfRanks:
    """Ranks from 1 to n in proportion to k^-theta: rejection-inversion (Hörmann, Derflinger 1996)."""

    def __init__(self, n: int, theta: float) -> None:
        self.theta, self.n = theta, n
        self.low = self._integral(1.5) - 1
        self.high = self._integral(n + 0.5)
        self.surely = 2 - self._inverse(self._integral(2.5) - self._density(2.0))

    def resize(self, n: int) -> None:
        if n != self.n:
            self.n, self.high = n, self._integral(n + 0.5)

    def next(self, random: Draws) -> int:
        while True:
            u = self.high + random.unit() * (self.low - self.high)
            x = self._inverse(u)
            k = self.n if x >= self.n else max(1, int(x + 0.5))
            if k - x <= self.surely or u >= self._integral(k + 0.5) - self._density(float(k)):
                return k

    def _density(self, x: float) -> float:
        return math.exp(-self.theta * math.log(x))

    def _integral(self, x: float) -> float:
        log = math.log(x)
        y = (1 - self.theta) * log
        return (math.expm1(y) / y if abs(y) > 1e-8 else 1 + y / 2 * (1 + y / 3)) * log

    def _inverse(self, y: float) -> float:
        t = max(-1.0, y * (1 - self.theta))
        if t == -1.0:
            return math.inf if y > 0 else 0.0  # the pole of log1p
        ratio = math.log1p(t) / t if abs(t) > 1e-8 else 1 - t * (0.5 - t / 3)
        return math.exp(min(700.0, ratio * y))


def _key_ranges(n: int, most: int, placement: int, random: Draws) -> Stream:
    count = min(n, most)
    heat = [0.0] * count
    places = Permutation(count, derive(placement, "key ranges"))
    for x in range(count):
        heat[places.at(x)] = 14.18 * math.exp(-2.917 * (x + 1)) + 0.0164 * math.exp(
            -0.08082 * (x + 1)
        )
    starts = [n // count * r + min(r, n % count) for r in range(count + 1)]
    orders = [Permutation(starts[r + 1] - starts[r], derive(placement, r)) for r in range(count)]
    classes = AliasTable(heat)
    ranks = TailTable(lambda u: math.pow(u / 0.002312, 1 / 0.3467))

    def following() -> int:
        r = classes.pick(random.bits())
        order = orders[r]
        return starts[r] + order.at((math.ceil(ranks.at(random.bits())) - 1) % order.n)

    return following
