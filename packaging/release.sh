#!/usr/bin/env bash
# Makes a release of the tag v1.2.3 that HEAD has: all that is published, in target/release.
#
#   packaging/release.sh [--no-image] [Maven's options, such as -Dgpg.keyname=KEY]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {
  echo "release: $1" >&2
  exit 2
}

image=yes
if [[ ${1:-} == --no-image ]]; then
  image=
  shift
fi

version=$(sed -n 's/^  <version>\(.*\)<\/version>.*/\1/p' pom.xml | head -n 1)
tags=$(git tag --points-at HEAD)
grep -qxF "v$version" <<<"$tags" || die "pom.xml has version $version, and HEAD has no tag v$version (but: ${tags:-none})."
[[ -z $(git status --porcelain) ]] || die "there are changes that are not committed: commit or stash them."
grep -q "^## \[$version\] - [0-9]" CHANGELOG.md || die "CHANGELOG.md has no date for $version."
if [[ -n $image ]]; then
  builder=$(command -v podman || command -v buildah || command -v docker) ||
    die "an image is built by podman, buildah (neither needs a daemon) or docker: install one, or leave it out with --no-image."
fi

JAVA_HOME=$(sh packaging/jdk.sh --javac)
export JAVA_HOME

out=$PWD/target/release
name=kv-stadium-$version
rm -rf "$out" target/staging
mkdir -p "$out"
./mvnw -B -ntp -Prelease -DskipTests -Dstadium.dist="$out/$name" "$@" deploy
cp -r stadium packaging/jdk.sh packaging/server.toml packaging/systemd packaging/monitoring docs LICENSE CHANGELOG.md "$out/$name/"
cp cli/target/bom.json "$out/$name.cyclonedx.json"
mv target/staging "$out/maven"

# the same bytes for the same commit
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -C "$out" -c "$name" |
  gzip -n >"$out/$name.tar.gz"

if [[ -n $image ]]; then
  for arch in amd64 arm64; do # the other one's RUN lines need an emulator: qemu-user-static, with binfmt
    "$builder" build --platform "linux/$arch" --build-arg "dist=target/release/$name" \
      -f packaging/container/Containerfile -t "kv-stadium:$version-$arch" .
  done
fi
(cd "$out" && sha256sum ./*.tar.gz ./*.json >SHA256SUMS)
echo "Release $version is in $out${image:+, and the images are kv-stadium:$version-amd64 and -arm64}."
