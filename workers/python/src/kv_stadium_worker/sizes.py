"""Size distributions, in the notation of suite files: 100, 0..2000, pareto:…"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from .mixing import TailTable, mix, reduce


def java_round(x: float) -> int:
    """Half up, as Java rounds."""
    return math.floor(x + 0.5)


class Sizes:
    """A distribution: its mean, and a pure function from 64 bits to a size."""

    def __init__(self, text: str) -> None:
        plain = text.replace(" ", "").replace("_", "")
        self.mean = 0.0
        self.least, self.span = 0, 1
        self.law: Callable[[int], int] | None = None
        if plain.startswith("pareto:"):
            self._pareto([float(part) for part in plain[7:].split(",")])
        elif found := re.fullmatch(r"(\d+)(?:\.\.(\d+))?", plain):
            self.least = int(found[1])
            most = int(found[2] or found[1])
            self.span = most - self.least + 1
            self.mean = (self.least + most) / 2
        else:
            raise ValueError(f"size distribution '{text}' is unknown to this worker")

    def pick(self, identity: int) -> int:
        if self.law is not None:
            return self.law(mix(identity + 1))
        if self.span == 1:
            return self.least
        return self.least + reduce(mix(identity + 1), self.span)

    def _pareto(self, parts: list[float]) -> None:
        sigma, k = parts[0], parts[1]
        theta = parts[2] if len(parts) > 2 else 0.0
        most = int(parts[3]) if len(parts) > 3 else 1 << 20
        room = most - theta
        if k == 0:
            self.mean = theta + sigma * -math.expm1(-room / sigma)
        else:
            log = math.log1p(k * room / sigma)
            self.mean = theta + (
                sigma * log if k == 1 else sigma / (k - 1) * math.expm1(log * (1 - 1 / k))
            )

        def exceeded_with(probability: float) -> float:
            log = -math.log(probability)
            return theta + sigma * (log if k == 0 else math.expm1(k * log) / k)

        table = TailTable(exceeded_with)
        self.law = lambda random: min(most, java_round(table.at(random)))
