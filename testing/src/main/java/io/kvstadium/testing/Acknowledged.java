package io.kvstadium.testing;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Takes down what a {@link CrashTest} has acknowledged. Thread-safe. */
public final class Acknowledged {
  private final PrintStream out;

  Acknowledged(PrintStream out) {
    this.out = out;
  }

  /**
   * Something is acknowledged: from now on no fault may lose it.
   *
   * @param line says what, in one line; {@code check} gets it
   */
  public void add(String line) {
    if (line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0) {
      throw new IllegalArgumentException(
          "what is acknowledged must be one line, and this has several: " + line);
    }
    byte[] bytes = (line + '\n').getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length); // one write, so that no line is cut or mixed with another
    out.flush();
  }
}
