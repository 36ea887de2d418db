"""Stores nothing: measures the measuring."""

from __future__ import annotations

VALUE = bytes(100)


class NullStore:
    def get(self, key):
        return VALUE

    def get_many(self, keys):
        return [VALUE] * len(keys)

    def put(self, key, value):
        pass

    def delete(self, key):
        pass

    def write(self, entries):
        pass

    def background(self):
        return 0, 0

    def close(self):
        pass


class NullEngine:
    def declare(self):
        return {
            "name": "null",
            "title": "Null",
            "version": "1",
            "licence": "Apache-2.0",
            "description": "Accepts and returns at once: measures the measuring.",
            "capabilities": ["write", "batch"],
            "access": ["single"],
            "durability": [
                {"level": "none", "settings": "nothing is kept"},
                {"level": "engine-default", "settings": "nothing is kept"},
            ],
            "options": [],
            "unavailable": None,
        }

    def open(self, directory, options, level, access, create):
        return NullStore()


def engine(name):
    return NullEngine()
