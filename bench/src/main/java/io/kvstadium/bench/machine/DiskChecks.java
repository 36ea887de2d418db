package io.kvstadium.bench.machine;

import io.kvstadium.bench.machine.Mounts.Mount;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the disk that the stores will be on. */
final class DiskChecks {
  static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> NETWORK =
      Set.of("nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "9p", "afs", "ceph", "virtiofs");

  /** What the built-in suites may need. */
  private static final long SOME_SPACE = 4L << 30;

  /** No disk without a protected cache writes faster. */
  private static final long TOO_FAST_NANOS = 20_000;

  private final SystemFiles system;
  private final Path directory;
  private final @Nullable Mount mount;

  DiskChecks(SystemFiles system, Path directory) {
    this.system = system;
    this.directory = directory;
    this.mount = Mounts.of(system).holding(real(directory));
  }

  static Path real(Path directory) {
    try {
      return directory.toRealPath();
    } catch (IOException e) {
      return directory.toAbsolutePath(); // the file system's check will say what is wrong with it
    }
  }

  /** Type of the file system, as Linux or else the JDK calls it. */
  String type() {
    if (mount != null) {
      return mount.type();
    }
    try {
      return Files.getFileStore(directory).type();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** The device of the file system. */
  String source() {
    if (mount != null) {
      return mount.source();
    }
    try {
      return Files.getFileStore(directory).name();
    } catch (IOException e) {
      return "unknown (" + e.getMessage() + ")";
    }
  }

  /**
   * File system and space.
   *
   * @param dataBytes about how much one store will hold; 0 if that is not known yet
   */
  List<Check> quick(long dataBytes) {
    Checks checks = new Checks("disk");
    fileSystem(checks);
    try {
      FileStore store = Files.getFileStore(directory);
      space(checks, store.getUsableSpace(), dataBytes);
    } catch (IOException e) {
      checks.warn(
          "free space",
          "the file system of " + directory + " cannot be determined (" + e.getMessage() + ")",
          "use --out with another directory");
    }
    return checks.list();
  }

  private void fileSystem(Checks checks) {
    String type = type();
    if (IN_MEMORY.contains(type)) {
      checks.warn(
          "file system",
          directory
              + " is on "
              + type
              + ", in memory: syncing costs nothing there and durability means nothing",
          "use --out with a directory on a disk");
    } else if (NETWORK.contains(type)) {
      checks.warn(
          "file system",
          directory + " is on the network (" + type + ")",
          "use --out with a directory on a local disk");
    } else if (type.equals("overlay")) {
      checks.note(
          "file system",
          directory + " is on an overlay, a container's layers, which costs extra",
          "use --out with a directory of the host or a volume");
    } else {
      checks.ok("file system", type + " on " + source());
    }
  }

  static void space(Checks checks, String directory, long free, long needed) {
    if (free < needed) {
      checks.warn(
          "free space",
          directory
              + " has "
              + (free >> 20)
              + " MiB free, and a store may need "
              + (needed >> 20)
              + " MiB",
          "free some, lower --scale, or use --out with another disk");
    } else {
      checks.ok("free space", (free >> 20) + " MiB");
    }
  }

  private void space(Checks checks, long free, long dataBytes) {
    space(
        checks,
        directory.toString(),
        free,
        dataBytes == 0 ? SOME_SPACE : dataBytes * Environment.SPACE_FACTOR);
  }

  /** Checks the kind of disk, as the disk reports it. */
  List<Check> device() {
    Checks checks = new Checks("disk");
    Path block = block();
    if (block == null) {
      checks.ok("device", "cannot be determined: " + source());
      return checks.list();
    }
    String model = SystemFiles.line(block.resolve("device/model"));
    String shown = block.getFileName() + (model == null ? "" : " (" + model + ")");
    String cache = SystemFiles.line(block.resolve("queue/write_cache"));
    String withCache = shown + (cache == null ? "" : ", write cache: " + cache);
    if ("1".equals(SystemFiles.line(block.resolve("queue/rotational")))) {
      checks.note(
          "device",
          withCache + "; claims to be a rotating disk",
          "if it is one, random reads take milliseconds; in a virtual machine it often is not");
    } else {
      checks.ok("device", withCache);
    }
    return checks.list();
  }

  /** The directory of the whole disk in {@code /sys}, or {@code null} if there is none. */
  private @Nullable Path block() {
    if (mount == null) {
      return null;
    }
    Path device = system.path("/sys/dev/block/" + mount.device());
    if (!Files.isDirectory(device)) {
      return null; // a virtual device, as of btrfs or an overlay
    }
    try {
      Path block = device.toRealPath();
      Path parent = block.getParent();
      boolean partition = Files.exists(block.resolve("partition"));
      return partition && parent != null ? parent : block;
    } catch (IOException e) {
      return null;
    }
  }

  /** Checks how long a small synced write takes. */
  List<Check> syncs(long medianNanos) {
    Checks checks = new Checks("disk");
    String cost =
        String.format(Locale.ROOT, "4 KiB written and synced in %.0f µs", medianNanos / 1e3);
    if (medianNanos < TOO_FAST_NANOS && !IN_MEMORY.contains(type())) {
      checks.warn(
          "sync",
          cost
              + ": the disk acknowledges syncs without doing them, or has a protected cache, and"
              + " 'power' may be untrue",
          "do not compare figures at 'power' with those of other disks; look up how the disk, or the"
              + " host of this machine, treats flushes");
    } else {
      checks.ok("sync", cost + " (median)");
    }
    return checks.list();
  }

  /** Checks whether cold runs are possible. */
  static List<Check> cold(PageCache.Way way) {
    Checks checks = new Checks("disk");
    switch (way) {
      case DROP_CACHES -> checks.ok("cold runs", "possible with drop_caches");
      case POSIX_FADVISE ->
          checks.note(
              "cold runs",
              "possible with posix_fadvise: file by file, without what the file system keeps",
              "run as root for drop_caches");
      case NONE ->
          checks.note(
              "cold runs",
              "not possible: these caches cannot be dropped",
              "use --out with a directory on a disk, on Linux");
    }
    return checks.list();
  }
}
