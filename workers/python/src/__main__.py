"""Runs the worker from a folder that it was unpacked to: python FOLDER trial."""

from kv_stadium_worker.main import main

main()
