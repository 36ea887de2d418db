"""KV Stadium's worker in Python: runs trials of key-value stores through their Python bindings."""

__version__ = "0.1.0"

PROTOCOL = 1
"""Version of the protocol between worker and Stadium: docs/workers.md."""
