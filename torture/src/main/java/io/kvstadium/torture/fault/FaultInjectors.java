package io.kvstadium.torture.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes the injectors of one fault, for one sequence after another. For one thread; each has mounts
 * of its own.
 */
public final class FaultInjectors implements AutoCloseable {
  private static final Set<Fault> IN_NAMESPACE =
      EnumSet.of(Fault.POWER, Fault.SECTOR, Fault.SLOW, Fault.LIE, Fault.FULL);

  /** The slowest flush of a slow disk. */
  private static final long SLOWEST_MILLIS = 100;

  /** The size of a disk image, which is a sparse file. */
  private static final long DISK_BYTES = 1L << 30;

  private final Path home;
  private final Fault fault;
  private final List<DiskFormat> formats;
  private final boolean inMemory;
  private final @Nullable MountNamespace namespace;
  private int made;

  /**
   * @param home where the directories and disk images are
   * @param formats of the disk, for power cuts
   */
  public FaultInjectors(Path home, Fault fault, List<DiskFormat> formats) throws IOException {
    this.home = home;
    this.fault = fault;
    this.formats = formats;
    inMemory = fault == Fault.FULL && DiskFormat.EXT4.unavailable() != null;
    namespace =
        inMemory && !MountNamespace.isRoot()
            ? MountNamespace.ofUser()
            : IN_NAMESPACE.contains(fault) ? new MountNamespace() : null;
  }

  /**
   * One for the next sequence, with an empty directory.
   *
   * @param seed decides on what may be chosen, such as the file system
   */
  public FaultInjector next(long seed) throws IOException {
    if (namespace != null) {
      return switch (fault) {
        case SECTOR -> new LossyDisk(namespace, home, 0, false);
        case SLOW -> new LossyDisk(namespace, home, SLOWEST_MILLIS, false);
        case LIE -> new LossyDisk(namespace, home, 0, true);
        case FULL ->
            inMemory
                ? FullDisk.inMemory(namespace, home)
                : FullDisk.on(new LoopDisk(namespace, home, DiskFormat.EXT4, DISK_BYTES));
        default -> {
          DiskFormat format = formats.get(new SplittableRandom(seed).nextInt(formats.size()));
          yield new PowerCut.Injector(new LoopDisk(namespace, home, format, DISK_BYTES));
        }
      };
    }
    Path directory = Files.createDirectory(home.resolve("stores-" + ++made));
    return switch (fault) {
      case SERVER -> new FaultInjector.Served(directory);
      case EIO -> new Strace(directory);
      case FLIP -> new Flips(directory);
      default -> new FaultInjector.Plain(directory);
    };
  }

  @Override
  public void close() throws IOException {
    if (namespace != null) {
      namespace.close();
    }
  }

  /** Why a fault is not available here, or {@code null}. */
  public static @Nullable String unavailable(Fault fault) {
    return switch (fault) {
      case KILL, SERVER, FLIP -> null;
      case POWER -> DiskFormat.EXT4.unavailable();
      case FULL -> FullDisk.unavailable();
      case SECTOR, SLOW, LIE -> LossyDisk.unavailable();
      case EIO -> Strace.unavailable();
    };
  }
}
