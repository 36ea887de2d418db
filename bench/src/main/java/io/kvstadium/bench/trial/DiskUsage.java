package io.kvstadium.bench.trial;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Space that files take, in allocated blocks: an apparent length says nothing about a sparse file.
 */
final class DiskUsage {
  private static final int KIB = 1024;

  private DiskUsage() {}

  /**
   * Returns the bytes in allocated blocks of all files below a directory, or -1 where {@code du} is
   * missing. Of files that vanish meanwhile, as an engine's compactions let them, {@code du}
   * complains, and still counts the others.
   */
  static long of(Path directory) {
    try {
      Process du =
          new ProcessBuilder("du", "-sk", directory.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      du.waitFor();
      int end = answer.indexOf('\t');
      return end > 0 ? Long.parseLong(answer.substring(0, end)) * KIB : -1;
    } catch (IOException e) {
      return -1; // no such program: the size is unknown, as -1 says
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }
}
