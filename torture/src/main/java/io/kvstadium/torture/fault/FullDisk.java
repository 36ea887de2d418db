package io.kvstadium.torture.fault;

import io.kvstadium.store.StoreIoException;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.child.FaultedProcess;
import io.kvstadium.torture.child.Home;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A separate disk that fills up while the store is written, and has space again afterwards: for the
 * same process in half of the rounds, for the next one in the others.
 */
public final class FullDisk implements FaultInjector {
  /** What must not happen, even if the lack of space was reported. */
  private static final Set<Finding.Kind> NEVER =
      EnumSet.of(
          Finding.Kind.CANNOT_READ, Finding.Kind.STAYS_FULL, Finding.Kind.HANG, Finding.Kind.CRASH);

  /** The most space left, as a power of two; little is likely, since most stores fill only that. */
  private static final int MOST_LEFT_BITS = 21;

  /** The store writes too, so what is left may be gone before the rest is taken. */
  private static final int ATTEMPTS = 20;

  /** The size of a disk in memory. */
  private static final long MEMORY_BYTES = 64L << 20;

  private final MountNamespace namespace;
  private final Path mountPoint;
  private final Closeable disk;

  private FullDisk(MountNamespace namespace, Path mountPoint, Closeable disk) {
    this.namespace = namespace;
    this.mountPoint = mountPoint;
    this.disk = disk;
  }

  static FullDisk on(LoopDisk disk) {
    return new FullDisk(disk.namespace(), disk.mountPoint(), disk);
  }

  /** Where no disk can be mounted. */
  static FullDisk inMemory(MountNamespace namespace, Path home) throws IOException {
    Path mountPoint = Files.createTempDirectory(home, "mount-");
    String place = mountPoint.toString();
    namespace.run("mount", "-t", "tmpfs", "-o", "size=" + MEMORY_BYTES, "none", place);
    return new FullDisk(
        namespace,
        mountPoint,
        () -> {
          namespace.run("umount", place);
          Files.delete(mountPoint);
        });
  }

  /** Why neither is available here, or {@code null}. */
  static @Nullable String unavailable() {
    if (MountNamespace.isRoot()) {
      return MountNamespace.unavailable();
    }
    String reason = trial(true);
    return reason == null
        ? null
        : "it needs root, or a system that lets its users mount in namespaces of their own: "
            + reason;
  }

  /**
   * What is wrong after mounting one in memory; {@code null} if it works.
   *
   * @param ofUser whether in a namespace of a user, not of root
   */
  static @Nullable String trial(boolean ofUser) {
    try (Home home = Home.at(null);
        MountNamespace namespace = ofUser ? MountNamespace.ofUser() : new MountNamespace()) {
      inMemory(namespace, home.directory()).close();
      return null;
    } catch (IOException | StoreIoException e) {
      return "this system does not allow it (" + e.getMessage() + ")";
    }
  }

  @Override
  public Path directory() {
    return mountPoint;
  }

  @Override
  public List<String> prefix() {
    return namespace.prefix();
  }

  @Override
  public void inject(FaultedProcess process, SplittableRandom random)
      throws IOException, InterruptedException {
    FileStore files = Files.getFileStore(namespace.seen(mountPoint));
    Path ballast = mountPoint.resolve("ballast");
    long left = random.nextLong(1L << random.nextInt(MOST_LEFT_BITS + 1));
    for (int attempt = 1; ; attempt++) {
      long length = Math.max(1, files.getUsableSpace() - left);
      try {
        namespace.run("fallocate", "-l", Long.toString(length), ballast.toString());
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
    Files.delete(namespace.seen(ballast));
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
