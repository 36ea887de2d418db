#!/bin/sh
# The counter may be ahead of the last acknowledged one, never behind.
acknowledged=$(tail -n 1)
found=$(cat "$1/counter" 2>/dev/null || echo 0)
case $found in
  '' | *[!0-9]*) echo "the counter is '$found'" && exit 1 ;;
esac
[ "$found" -ge "${acknowledged:-0}" ] || {
  echo "acknowledged $acknowledged, found $found"
  exit 1
}
