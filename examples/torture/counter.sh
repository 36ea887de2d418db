#!/bin/sh
# A counter in a file. The next one is written beside it and takes its name.
#   counter.sh DIR            right: the file is synced before it gets the name, and its directory after that
#   counter.sh DIR careless   wrong: the directory is not synced, so the new name may be lost
set -eu
dir=$1
n=$(cat "$dir/counter" 2>/dev/null || echo 0)
while [ "$n" -lt 1000000 ]; do
  n=$((n + 1))
  echo "$n" >"$dir/counter.tmp"
  sync "$dir/counter.tmp"
  mv "$dir/counter.tmp" "$dir/counter"
  [ "${2-}" = careless ] || sync "$dir"
  echo "$n" # acknowledged
done
