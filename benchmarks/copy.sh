#!/usr/bin/env bash
# A copy from LMDB to RocksDB and back compared with scan and bulk load alone: see Copies.java.
# Usage: benchmarks/copy.sh [GB] [rounds]; uses what ./stadium has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p target
work=$(mktemp -d "$PWD/target/copy.XXXXXX")
trap 'rm -rf "$work"' EXIT
STADIUM_PROGRAM=benchmarks/Copies.java STADIUM_JAVA_OPTS=-Xmx256m \
  ./stadium dist "$work" "${1:-1}" "${2:-3}"
