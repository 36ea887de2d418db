#!/usr/bin/env bash
# Whether slices in turns would tell two processes apart better than whole phases: see Slices.java.
# Usage: benchmarks/slices.sh [engine] [pairs] [repetitions]; uses what ./stadium has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./stadium --version >/dev/null
home=${STADIUM_JAVA_HOME:-${JAVA_HOME:-}} # of a JDK 25 or newer
java=${home:+$home/bin/}java
mkdir -p target
work=$(mktemp -d "$PWD/target/slices.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$java" -cp 'dist/lib/*' benchmarks/Slices.java "$PWD/dist" "$work" "${2:-12}" "${3:-8}" "${1:-lmdb}"
