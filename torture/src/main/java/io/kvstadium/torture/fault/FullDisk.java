package io.kvstadium.torture.fault;

import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.child.FaultedProcess;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A separate disk that fills up while the store is written, and has space again afterwards: for the
 * same process in half of the rounds, for the next one in the others.
 */
public record FullDisk(LoopDisk disk) implements FaultInjector {
  /** What must not happen, even if the lack of space was reported. */
  private static final Set<Finding.Kind> NEVER =
      EnumSet.of(
          Finding.Kind.CANNOT_READ, Finding.Kind.STAYS_FULL, Finding.Kind.HANG, Finding.Kind.CRASH);

  /** The most space left, as a power of two; little is likely, since most stores fill only that. */
  private static final int MOST_LEFT_BITS = 21;

  /** The store writes too, so what is left may be gone before the rest is taken. */
  private static final int ATTEMPTS = 20;

  @Override
  public Path directory() {
    return disk.mountPoint();
  }

  @Override
  public List<String> prefix() {
    return disk.namespace().prefix();
  }

  @Override
  public void inject(FaultedProcess process, SplittableRandom random)
      throws IOException, InterruptedException {
    FileStore files = Files.getFileStore(disk.namespace().seen(disk.mountPoint()));
    Path ballast = disk.mountPoint().resolve("ballast");
    long left = random.nextLong(1L << random.nextInt(MOST_LEFT_BITS + 1));
    for (int attempt = 1; ; attempt++) {
      long length = Math.max(1, files.getUsableSpace() - left);
      try {
        disk.namespace().run("fallocate", "-l", Long.toString(length), ballast.toString());
        break;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
    boolean goesOn = process.meetFullDisk(random);
    if (!goesOn) {
      process.kill();
    }
    Files.delete(disk.namespace().seen(ballast));
    if (goesOn) {
      process.meetFreeSpace();
    }
    process.kill();
  }

  @Override
  public boolean acknowledgesToTheEnd() {
    return true;
  }

  @Override
  public boolean fills() {
    return true;
  }

  /**
   * Failures without any report of the lack of space, calls that did not return, and failed reads.
   * (Of concurrent calls, it is enough if one reports it.)
   */
  @Override
  public List<Finding> wrong(List<Finding> reported) {
    boolean said = reported.stream().anyMatch(each -> each.kind() == Finding.Kind.NO_ROOM);
    return reported.stream()
        .filter(each -> said ? NEVER.contains(each.kind()) : each.kind() != Finding.Kind.NO_ROOM)
        .toList();
  }

  @Override
  public void close() throws IOException {
    disk.close();
  }
}
