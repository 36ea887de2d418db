#!/usr/bin/env bash
# What a move costs while it follows: see Moves.java.
# Usage: benchmarks/moves.sh [blocks] [from-to,…]; uses what ./stadium has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p target
work=$(mktemp -d "$PWD/target/moves.XXXXXX")
trap 'rm -rf "$work"' EXIT
STADIUM_PROGRAM=benchmarks/Moves.java STADIUM_JAVA_OPTS=-Xmx1g \
  ./stadium dist "$work" "${1:-100}" "${2:-sqlite-rocksdb,rocksdb-lmdb,lmdb-sqlite}"
