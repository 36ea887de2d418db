#!/usr/bin/env bash
# What a player costs beside a loop written by hand in its language, on the same store and keys: players/go/hand_test.go.
# Usage: benchmarks/players.sh [runs]; prints ns per call of each and their ratio, the best of the runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../players/go"

go test -run '^$' -bench Hand -benchtime 1s -count "${1:-3}" . | awk '
  /^BenchmarkHand\// {
    split($1, name, "/")
    call = name[2] " " name[3]
    who = name[4]; sub(/-[0-9]+$/, "", who)
    if (!((call, who) in best) || $3 < best[call, who]) best[call, who] = $3
    calls[call] = 1
  }
  END {
    printf "%-16s %10s %10s %6s\n", "go", "by hand", "player", "ratio"
    for (call in calls) {
      hand = best[call, "hand"]; player = best[call, "player"]
      printf "%-16s %10.0f %10.0f %6.2f\n", call, hand, player, player / hand | "sort"
    }
  }'
