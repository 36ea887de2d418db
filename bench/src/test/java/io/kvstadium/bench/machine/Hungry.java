package io.kvstadium.bench.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A process that wants memory. */
final class Hungry {
  private static final int MIB = 1 << 20;

  private Hungry() {}

  /**
   * {@code read FILE} reads it, {@code allocate MIB} allocates that much; then waits for a line.
   */
  @SuppressWarnings("SystemOut") // its parent listens
  public static void main(String[] args) throws IOException {
    List<byte[]> kept = new ArrayList<>();
    long sum = 0;
    if (args[0].equals("read")) {
      byte[] buffer = new byte[MIB];
      try (InputStream in = Files.newInputStream(Path.of(args[1]))) {
        for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
          sum += n;
        }
      }
    } else {
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        byte[] bytes = new byte[MIB];
        Arrays.fill(bytes, (byte) i);
        kept.add(bytes);
      }
    }
    System.out.println("done " + (sum + kept.size()));
    int ignored = System.in.read();
  }
}
