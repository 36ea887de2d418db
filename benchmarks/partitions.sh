#!/usr/bin/env bash
# The load of the busiest of 3 to 100 nodes, by simulation: see Partitions.java.
# Usage: benchmarks/partitions.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

home=${STADIUM_JAVA_HOME:-${JAVA_HOME:-}} # of a JDK 25 or newer
exec "${home:+$home/bin/}java" benchmarks/Partitions.java
