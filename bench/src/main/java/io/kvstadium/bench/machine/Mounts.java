package io.kvstadium.bench.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is mounted where, from {@code /proc/self/mountinfo} (its format is described in
 * proc_pid_mountinfo(5)).
 *
 * @param all in the order of mounting: at the same place, a later one covers an earlier one
 */
record Mounts(List<Mount> all) {
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");
  private static final int MIN_FIELDS = 6;

  /**
   * One mount.
   *
   * @param device major and minor number, such as {@code 254:0}
   * @param root the directory of the file system that is visible here
   * @param point where
   * @param type of the file system
   * @param source the device or whatever else was mounted
   */
  record Mount(String device, String root, Path point, String type, String source) {}

  static Mounts of(SystemFiles system) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : system.lines("/proc/self/mountinfo")) {
      // the optional fields in the middle end with a single hyphen
      String[] halves = line.split(" - ", 2);
      String[] left = halves[0].split(" ");
      String[] right = halves.length < 2 ? new String[0] : halves[1].split(" ");
      if (left.length >= MIN_FIELDS && right.length >= 2) {
        mounts.add(
            new Mount(
                left[2],
                unescaped(left[3]),
                Path.of(unescaped(left[4])),
                right[0],
                unescaped(right[1])));
      }
    }
    return new Mounts(List.copyOf(mounts));
  }

  /** A directory without symbolic links, if it can be read. */
  static Path real(Path directory) {
    try {
      return directory.toRealPath();
    } catch (IOException e) {
      return directory.toAbsolutePath(); // who uses it will say what is wrong with it
    }
  }

  /**
   * The mount that a file is on, or {@code null} if nothing is known.
   *
   * @param path absolute, without symbolic links
   */
  @Nullable Mount holding(Path path) {
    Mount found = null;
    for (Mount each : all) {
      if (path.startsWith(each.point())
          && (found == null || each.point().getNameCount() >= found.point().getNameCount())) {
        found = each;
      }
    }
    return found;
  }

  private static String unescaped(String field) {
    return OCTAL
        .matcher(field)
        .replaceAll(match ->
            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(match.group(1), 8))));
  }
}
