#!/usr/bin/env bash
# What a player costs beside a loop written by hand in its language, on the same store and keys: players/go/hand_test.go,
# players/rust/src/hand.rs, players/c/test/hand.c. Prints ns per call of each and their ratio, the best of three runs.
# Usage: benchmarks/players.sh [go|rust|c …]; default: all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../players"

# Lines such as "lmdb get hand 123"
measured() {
  case $1 in
    go) (cd go && go test -run '^$' -bench Hand -benchtime 1s -count 3 .) |
      awk -F '[/ \t]+' '/^BenchmarkHand\// { sub(/-[0-9]+$/, "", $4); print $2, $3, $4, $6 }' ;;
    rust) (cd rust && cargo test --quiet --release --locked hand -- --ignored --nocapture) ;;
    c) make -s -C c hand && c/hand ;;
  esac
}

[[ $# -gt 0 ]] || set -- go rust c
printf '%-24s %10s %10s %6s\n' '' 'by hand' player ratio
for language; do
  measured "$language" | awk -v language="$language" '
    $3 == "hand" || $3 == "player" {
      call = language " " $1 " " $2
      if (!((call, $3) in best) || $4 < best[call, $3]) best[call, $3] = $4
      calls[call] = 1
    }
    END {
      for (call in calls) {
        hand = best[call, "hand"]; player = best[call, "player"]
        printf "%-24s %10.0f %10.0f %6.2f\n", call, hand, player, player / hand | "sort"
      }
    }'
done
