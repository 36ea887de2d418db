#!/bin/sh
# Prints the home of a JDK that is new enough: one of this machine, or else Eclipse Temurin, which is downloaded once.
#
#   jdk=$(sh packaging/jdk.sh --javac)    to build: with a compiler
#   jdk=$(sh dist/jdk.sh)                 to run
#
# Exit code 2, with a sentence on standard error, if there is none. Searched in this order: STADIUM_JAVA_HOME (an error
# if it is not suitable), JAVA_HOME, PATH, the usual folders, what was downloaded before. Environment:
#
#   STADIUM_JAVA_HOME     the JDK to use, rather than the first suitable one found
#   STADIUM_NO_DOWNLOAD   if set, nothing is downloaded
#   STADIUM_JDK_API       a mirror of https://api.adoptium.net
#   XDG_CACHE_HOME        downloads are in its folder kv-stadium/jdk (default: ~/.cache)
#
# Downloads are for Linux (glibc and musl) and macOS. On Windows, install a JDK; nothing here has been tried there.
set -eu

NEEDED=25
INSTALL="install one (https://adoptium.net, your package manager, or SDKMAN) or point JAVA_HOME to it"

die() {
  printf 'stadium: %s\n' "$1" >&2
  exit 2
}

# Succeeds if $1 is the home of a suitable JDK. Reads its `release` file: no process is started.
suits() {
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  [ -z "$javac" ] || [ -x "$1/bin/javac" ] || return 1
  version=
  while IFS='=' read -r name value; do
    [ "$name" = JAVA_VERSION ] || continue
    version=${value#\"}
    version=${version%%[!0-9]*}
    break
  done <"$1/release"
  [ "${version:-0}" -ge "$NEEDED" ]
}

answer() {
  CDPATH='' cd -- "$1" && pwd
  exit
}

# Saves what is at an address. In the background: otherwise a signal would wait for its end.
fetch() {
  if command -v curl >/dev/null; then
    curl -fL -sS --connect-timeout 20 --speed-limit 1000 --speed-time 60 -o "$2" "$1" &
  elif command -v wget >/dev/null; then
    wget -q -T 60 -O "$2" "$1" &
  else
    die "no JDK $NEEDED or newer found, nor curl or wget to download one: $INSTALL."
  fi
  child=$!
  wait "$child" || die "no JDK $NEEDED or newer found, and $1 cannot be downloaded: try again, or $INSTALL."
  child=
}

sha256() {
  if command -v sha256sum >/dev/null; then
    sha256sum <"$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 <"$1"
  else
    die "cannot check a download without sha256sum or shasum: $INSTALL."
  fi
}

# What Adoptium calls this system and processor.
platform() {
  case $(uname -s) in
    Linux)
      os=linux
      if ! getconf GNU_LIBC_VERSION >/dev/null 2>&1 && ls /lib/ld-musl-* >/dev/null 2>&1; then
        os=alpine-linux
      fi
      ;;
    Darwin) os=mac ;;
    *) die "no JDK $NEEDED or newer found, and for $(uname -s) none is downloaded: $INSTALL." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=aarch64 ;;
    *) arch=$(uname -m) ;;
  esac
}

clean() {
  trap '' HUP INT TERM
  [ -z "$child" ] || kill "$child" 2>/dev/null || :
  [ -z "$new" ] || rm -rf "$new"
}

interrupted() {
  printf 'stadium: the download of the JDK was interrupted; nothing of it was kept.\n' >&2
  exit "$1"
}

# Everything happens in a new folder in the cache, which goes whatever happens; only a JDK that runs is moved out of it.
download() {
  [ -z "${STADIUM_NO_DOWNLOAD:-}" ] || die "no JDK $NEEDED or newer found, and STADIUM_NO_DOWNLOAD is set: $INSTALL."
  [ -n "$cache" ] || die "no JDK $NEEDED or newer found, and neither HOME nor XDG_CACHE_HOME says where to download one: $INSTALL."
  platform
  child='' new=''
  trap clean EXIT
  trap 'interrupted 129' HUP
  trap 'interrupted 130' INT
  trap 'interrupted 143' TERM
  mkdir -p "$cache" 2>/dev/null && new=$(mktemp -d "$cache/.new.XXXXXX" 2>/dev/null) ||
    die "no JDK $NEEDED or newer found, and $cache, where one would be downloaded to, cannot be written: set XDG_CACHE_HOME, or $INSTALL."
  find "$cache"/.new.* -prune -mtime +1 -exec rm -rf {} + # left behind by a killed process

  fetch "${STADIUM_JDK_API:-https://api.adoptium.net}/v3/assets/latest/$NEEDED/hotspot?architecture=$arch&image_type=jdk&os=$os&vendor=eclipse" "$new/answer"
  # The object of the archive; an installer, which macOS has too, is another one.
  package=$(tr -d '\n' <"$new/answer" | tr '{}' '\n\n' | grep '"link" *: *"[^"]*\.tar\.gz"' | head -n 1)
  link=$(printf '%s' "$package" | sed 's/.*"link" *: *"\([^"]*\)".*/\1/')
  sum=$(printf '%s' "$package" | sed 's/.*"checksum" *: *"\([0-9a-f]*\)".*/\1/')
  [ -n "$link" ] && [ ${#sum} -eq 64 ] || die "there is no download of a JDK $NEEDED for $os on $arch: $INSTALL."

  printf 'stadium: no JDK %s or newer found: downloading %s to %s\n' "$NEEDED" "$link" "$cache" >&2
  fetch "$link" "$new/archive"
  actual=$(sha256 "$new/archive")
  [ "${actual%% *}" = "$sum" ] ||
    die "the download of $link is damaged (its SHA-256 is ${actual%% *}, not $sum) and was removed: try again, or $INSTALL."
  mkdir "$new/unpacked"
  tar -xzf "$new/archive" -C "$new/unpacked" || die "cannot unpack the JDK in $cache: make space, or $INSTALL."
  for jdk in "$new"/unpacked/*/Contents/Home "$new"/unpacked/*; do
    if suits "$jdk"; then
      "$jdk/bin/java" -version >/dev/null 2>&1 ||
        die "the downloaded JDK does not run on this machine, or not in $cache: $INSTALL."
      # A single step, which fails if another process was first: no one sees half a JDK.
      mv -f "$new"/unpacked/* "$cache/" 2>/dev/null || :
      jdk=$cache/${jdk#"$new/unpacked/"}
      suits "$jdk" || die "cannot put the JDK into $jdk: remove what is there, or $INSTALL."
      answer "$jdk"
    fi
  done
  die "there is no JDK $NEEDED in $link: $INSTALL."
}

javac=${1:-}

if [ -n "${STADIUM_JAVA_HOME:-}" ]; then
  suits "$STADIUM_JAVA_HOME" ||
    die "STADIUM_JAVA_HOME=$STADIUM_JAVA_HOME is not a JDK $NEEDED or newer${javac:+ with a compiler}; correct or unset it."
  answer "$STADIUM_JAVA_HOME"
fi
on_path=$(command -v java || :)
if [ -n "$on_path" ]; then
  on_path=$(readlink -f "$on_path" 2>/dev/null || printf '%s' "$on_path")
  on_path=${on_path%/bin/java}
fi
cache=
case ${XDG_CACHE_HOME:-} in
  /*) cache=$XDG_CACHE_HOME/kv-stadium/jdk ;;
  *) [ -z "${HOME:-}" ] || cache=$HOME/.cache/kv-stadium/jdk ;;
esac
for jdk in "${JAVA_HOME:-}" "$on_path" \
  /usr/lib/jvm/* /usr/lib64/jvm/* /opt/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
  /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
  "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* \
  "${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home "$cache"/* "$cache"/*/Contents/Home; do
  if [ -n "$jdk" ] && suits "$jdk"; then
    answer "$jdk"
  fi
done
download
