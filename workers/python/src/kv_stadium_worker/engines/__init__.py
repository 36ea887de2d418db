"""The bindings that trials can use: what each declares, and how a store is opened."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Protocol

LEVELS = ["none", "process", "consistent", "power"]

MODULES = {
    "lmdb": ".lmdb_binding",
    "null": ".nothing",
    "rocksdb": ".rocks",
    "speedb": ".rocks",
    "sqlite": ".sqlite",
}


class Store(Protocol):
    """An open store. Keys and values are bytes."""

    def get(self, key: bytes) -> bytes | None: ...

    def get_many(self, keys: list[bytes]) -> list[bytes | None]: ...

    def put(self, key: bytes, value: bytes) -> object: ...

    def delete(self, key: bytes) -> object: ...

    def write(self, entries: list[tuple[bytes, bytes | None]]) -> None:
        """Writes one atomic batch; None as the value deletes."""

    def scan(self, start: bytes, count: int) -> list[tuple[bytes, bytes]]: ...

    def scan_all(self) -> Iterator[tuple[bytes, bytes]]: ...

    def background(self) -> tuple[int, int] | None:
        """Running or waiting jobs, and pending bytes; None if the binding does not report them."""

    def close(self) -> None: ...


class Engine(Protocol):
    """A binding."""

    def declare(self) -> dict:
        """What it is and can do, see docs/workers.md; `unavailable` if it is not installed."""

    def open(
        self, directory: str, options: dict[str, str], level: str, access: str, create: bool
    ) -> Store:
        """
        Args:
            options: those that it declares, and `read_only`.
            level: one that it declares.
            access: `single`, or another one that it declares.
            create: whether there is no store yet.
        """


def engine(name: str) -> Engine:
    if name not in MODULES:
        raise LookupError(f"unknown engine '{name}'; there are: {', '.join(sorted(MODULES))}")
    return importlib.import_module(MODULES[name], __name__).engine(name)


def given(declared: dict, asked: str) -> str:
    """The level given for the one asked for: the weakest that is at least as strong."""
    levels = [each["level"] for each in declared["durability"]]
    if asked in levels:
        return asked
    if asked in LEVELS:
        for level in LEVELS[LEVELS.index(asked) :]:
            if level in levels:
                return level
    raise ValueError(
        f"engine {declared['name']} cannot give durability {asked}; it can give: "
        + ", ".join(levels)
    )


def missing(package: str) -> str:
    """What to do about a binding that is not installed."""
    import os
    import sys

    pinned = os.path.join(os.path.dirname(os.path.dirname(__file__)), "requirements.txt")
    with open(pinned, encoding="utf-8") as file:
        wanted = next(line.strip() for line in file if line.startswith(package + "=="))
    return (
        f"its Python package is missing: install it with {sys.executable} -m pip install {wanted}"
    )
