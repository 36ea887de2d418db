#!/usr/bin/env bash
# Would alternating slices tell two processes apart better than whole phases? See Slices.java.
# Usage: benchmarks/slices.sh [engine] [pairs] [repetitions]; uses what ./stadium has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p target
work=$(mktemp -d "$PWD/target/slices.XXXXXX")
trap 'rm -rf "$work"' EXIT
STADIUM_PROGRAM=benchmarks/Slices.java \
  ./stadium "$PWD/dist" "$work" "${2:-12}" "${3:-8}" "${1:-lmdb}"
