#!/usr/bin/env bash
# Reads of a RocksDB store that is updated 10,000 times per second, with and without a concurrent
# backup: see BackupsBeside.java.
# Usage: benchmarks/backup.sh [GB] [rounds] [maximum bytes per second, such as 50m]; uses what
# ./stadium has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p target
work=$(mktemp -d "$PWD/target/backup.XXXXXX")
trap 'rm -rf "$work"' EXIT
STADIUM_PROGRAM=benchmarks/BackupsBeside.java STADIUM_JAVA_OPTS=-Xmx256m \
  ./stadium dist "$work" "${1:-1}" "${2:-3}" "${3:-1t}"
