"""Size distributions, in the notation of suite files: 100, 0..2000, 50±5, pareto:…, histogram:…"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable

from .mixing import GAMMA, MASK, AliasTable, TailTable, mix, reduce

QUANTILE_BITS = 12


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
        elif plain.startswith("histogram:"):
            self._histogram(plain[10:].split(","))
        elif found := re.fullmatch(r"(\d+)(?:\.\.(\d+))?", plain):
            self.least = int(found[1])
            most = int(found[2] or found[1])
            self.span = most - self.least + 1
            self.mean = (self.least + most) / 2
        elif found := re.fullmatch(r"([\d.]+)(?:±|\+/?-)([\d.]+)", plain):
            self._normal(float(found[1]), float(found[2]))
        else:
            raise ValueError(f"size distribution '{text}' is unknown to this worker")

    def pick(self, identity: int) -> int:
        if self.law is not None:
            return self.law(mix(identity + 1))
        if self.span == 1:
            return self.least
        return self.least + reduce(mix(identity + 1), self.span)

    def _normal(self, mean: float, deviation: float) -> None:
        self.mean = mean
        law = statistics.NormalDist(mean, deviation)
        cells = 1 << QUANTILE_BITS
        quantiles = (
            [mean - 4 * deviation]
            + [law.inv_cdf(k / cells) for k in range(1, cells)]
            + [mean + 4 * deviation]
        )

        def draw(random: int) -> int:
            k = random >> 64 - QUANTILE_BITS
            between = ((random << QUANTILE_BITS & MASK) >> 11) * 2.0**-53
            return max(0, java_round(quantiles[k] + between * (quantiles[k + 1] - quantiles[k])))

        self.law = draw

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

    def _histogram(self, parts: list[str]) -> None:
        bins = []
        for part in parts:
            size, weight = part.split("=")
            least, _, most = size.partition("..")
            bins.append((int(least), int(most or least), float(weight)))
        weights = [weight for _, _, weight in bins]
        self.mean = sum(w * (least + most) / 2 for least, most, w in bins) / sum(weights)
        classes = AliasTable(weights)

        def draw(random: int) -> int:
            least, most, _ = bins[classes.pick(random)]
            span = most - least + 1
            return least if span == 1 else least + reduce(mix(random + GAMMA), span)

        self.law = draw
