package io.kvstadium.torture.fault;

import io.kvstadium.torture.child.FaultedProcess;
import io.kvstadium.torture.child.Home;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A plain directory where bytes of the closed store are changed. */
public record Flips(Path directory) implements FaultInjector {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int LENGTH = 64;

  /** Prefix of the library's own files: which engine's store this is, and who has it open. */
  private static final String OWN = "stadium";

  @Override
  public void inject(FaultedProcess process, SplittableRandom random)
      throws IOException, InterruptedException {
    process.end(PATIENCE);
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files =
          all.filter(Files::isRegularFile)
              .filter(file -> !file.getFileName().toString().startsWith(OWN))
              .filter(file -> file.toFile().length() > 0)
              .sorted()
              .toList();
    }
    long bytes = files.stream().mapToLong(file -> file.toFile().length()).sum();
    for (int i = random.nextInt(1, 4); i > 0 && bytes > 0; i--) {
      long at = random.nextLong(bytes);
      for (Path file : files) {
        long length = file.toFile().length();
        if (at < length) {
          change(file, at, random);
          break;
        }
        at -= length;
      }
    }
  }

  private static void change(Path path, long at, SplittableRandom random) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      byte[] bytes = new byte[(int) Math.min(LENGTH, file.length() - at)];
      random.nextBytes(bytes);
      file.seek(at);
      file.write(bytes);
    }
  }

  @Override
  public boolean acknowledgesToTheEnd() {
    return true;
  }

  @Override
  public void close() throws IOException {
    Home.remove(directory);
  }
}
