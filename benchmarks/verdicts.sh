#!/usr/bin/env bash
# Checks verdicts with an engine whose true speed is known (delaying/Delaying.java).
# Usage: benchmarks/verdicts.sh equal [runs] [budget]    four equal configurations: is any called slower?
#        benchmarks/verdicts.sh planted [runs] [budget]  ×1.1 and ×1.2 slower ones: are they found?
#        benchmarks/verdicts.sh compare [runs] [budget]  runs against runs, equal and ×1.2 slower
#        benchmarks/verdicts.sh versions [runs] [budget] two versions in the same rounds: equal, ×1.2 slower, and one call
#                                                        in a hundred 1 ms slower
# Uses what ./stadium has built; a run takes its budget (default: 3m).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

what=${1:-equal} runs=${2:-10} budget=${3:-3m}
./stadium --version >/dev/null
bin=$(sh packaging/jdk.sh --javac)/bin/
mkdir -p target
work=$(mktemp -d "$PWD/target/verdicts.XXXXXX")
trap 'rm -rf "$work/engines" "$work/equal" "$work/slower" "$work/tail" "$work/classes"' EXIT
dist=$PWD/dist

# LMDB's folder, with the delaying engine instead of LMDB's own, and how much slower it is unless a suite says so
engine() { # folder, factor, microseconds of rare calls
  rm -rf "$work/classes"
  mkdir -p "$work/$1/delaying" "$work/classes/META-INF/services" "$work/classes/source"
  cp "$dist"/engines/lmdb/*.jar "$work/$1/delaying/"
  sed "s/| store | 1 |/| store | $2 |/; s/| store | 0 |/| store | ${3:-0} |/" benchmarks/delaying/Delaying.java >"$work/classes/source/Delaying.java"
  "${bin}javac" -d "$work/classes" -cp "$dist/lib/*" "$work/classes/source/Delaying.java"
  echo delaying.Delaying >"$work/classes/META-INF/services/io.kvstadium.store.engine.Engine"
  (cd "$work/classes" && "${bin}jar" xf "$work/$1"/delaying/kv-stadium-engine-lmdb-*.jar io)
  rm "$work/$1"/delaying/kv-stadium-engine-lmdb-*.jar
  "${bin}jar" cf "$work/$1/delaying/delaying.jar" -C "$work/classes" .
}
engine engines 1

suite() { # the phases of quick, on configurations with these factors
  ./stadium bench --show quick | sed 's/^name = "quick"$/name = "verdicts"/;t;'
  for factor in "$@"; do
    printf '\n[[experiment.configuration]]\nname = "%s"\nengine = "delaying"\n' "$factor"
    printf 'durability = "consistent"\noptions = { factor = "%s" }\n' "${factor%%-*}"
  done
}

run() { # name, suite, seed
  ./stadium bench "$2" --engine-path "$work/engines:$dist/engines" --budget "$budget" \
    --seed "$3" --out "$work/$1" >"$work/$1.txt" 2>"$work/$1.err"
}

case $what in
  equal) suite 1-a 1-b 1-c 1-d >"$work/suite.toml" ;;
  planted) suite 1 1.1 1.2 >"$work/suite.toml" ;;
  compare) suite 1 >"$work/suite.toml" && suite 1.2 | sed 's/^name = "1.2"$/name = "1"/' >"$work/slower.toml" ;;
  versions) engine equal 1 && engine slower 1.2 && engine tail 1 1000 && suite 1 | sed '/^options = /d' >"$work/suite.toml" ;;
  *) echo "give equal, planted, compare or versions" >&2 && exit 2 ;;
esac
gate() { # version, seed: the exit code
  local code=0
  ./stadium bench "$work/suite.toml" --engine-path "$work/$1" --against "$work/engines" --slices --budget "$budget" --seed "$2" \
    --fail-on 'overall<-10%,p99(update)>50%' --out "$work/$1-$2" >"$work/$1-$2.txt" 2>"$work/$1-$2.err" || code=$?
  echo "$1 $code"
}
if [ "$what" = versions ]; then
  for ((i = 1; i <= runs; i++)); do gate equal "$i" && gate slower "$i" && gate tail "$i"; done | sort | uniq -c |
    sed 's/$/ (exit code; 0: kept, 1: broken, 3: cannot tell)/'
  exit
fi
slower() { "$PWD/stadium" compare --fail-on slower "$work/$1" "$work/$2" >>"$work/compare.txt" && echo 0 || echo 1; }
false=0 found=0
for ((i = 1; i <= runs; i++)); do
  run "$i" "$work/suite.toml" "$i"
  if [ "$what" = compare ]; then
    run "$i-again" "$work/suite.toml" "$i"
    run "$i-slower" "$work/slower.toml" "$i"
    false=$((false + $(slower "$i" "$i-again"))) found=$((found + $(slower "$i" "$i-slower")))
  fi
done
if [ "$what" = compare ]; then
  echo "called slower: $false of $runs equal runs, $found of $runs runs that are ×1.2 slower"
else
  "${bin}java" -cp "$dist/lib/*" benchmarks/delaying/Verdicts.java "$work" "$runs"
fi
