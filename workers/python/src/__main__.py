"""Runs the worker from the folder to which it was unpacked: python FOLDER trial."""

from kv_stadium_worker.main import main

main()
