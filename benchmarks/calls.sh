#!/usr/bin/env bash
# The cost of a listener per call, and of conditional writes compared with puts: see Calls.java.
# Usage: benchmarks/calls.sh [engines] [blocks]; uses what ./stadium has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p target
work=$(mktemp -d "$PWD/target/calls.XXXXXX")
trap 'rm -rf "$work"' EXIT
STADIUM_PROGRAM=benchmarks/Calls.java STADIUM_JAVA_OPTS=-Xmx1g \
  ./stadium dist "$work" "${2:-800}" "${1:-memory,mvstore,lmdb}"
