package io.kvstadium.torture.program;

import io.kvstadium.torture.fault.Strace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a program opens for writing outside of its directory, by strace where that is installed. */
record OutsideWrites(Path log) {
  private static final Pattern OPENED =
      Pattern.compile("\\b(?:O_WRONLY|O_RDWR|creat\\().* = \\d+<(/.*)>$");

  /** Words before the command of the program. */
  List<String> prefix() {
    return Strace.unavailable() != null
        ? List.of()
        : List.of(
            "strace",
            "-f",
            "--seccomp-bpf",
            "-qqq",
            "-y",
            "-e",
            "trace=open,openat,openat2,creat",
            "-o",
            log.toString());
  }

  /** The files that are still there: what it has removed itself, it does not rely on. */
  Set<String> outside(Path directory) throws IOException {
    Set<String> found = new TreeSet<>();
    if (!Files.exists(log)) {
      return found;
    }
    for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
      Matcher opened = OPENED.matcher(line);
      if (opened.find()
          && ProcessFamily.isOutside(opened.group(1), directory)
          && Files.exists(Path.of(opened.group(1)))) {
        found.add(opened.group(1));
      }
    }
    return found;
  }
}
