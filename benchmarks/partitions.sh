#!/usr/bin/env bash
# The load of the busiest of 3 to 100 nodes, by simulation: see Partitions.java.
# Usage: benchmarks/partitions.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

STADIUM_PROGRAM=benchmarks/Partitions.java exec ./stadium
