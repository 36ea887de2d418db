package io.kvstadium.bench.machine;

import java.nio.file.Path;

/**
 * What went to and from block devices, as Linux counts it; -1 where it is not known.
 *
 * <p>Not what a process has written: where the file system caches in large folios (ext4 since Linux
 * 6.16, XFS) a whole folio counts, however little of it became dirty, and 200 MiB were seen for 200
 * synced writes of 4 KiB. What a virtual or compressing device makes of it is not visible here.
 */
public final class DeviceIo {
  /** The unit of the kernel's block statistics, regardless of the disk's own. */
  private static final int SECTOR = 512;

  private static final int WRITTEN_SECTORS = 6;
  private static final int FLUSHES = 15;

  private DeviceIo() {}

  /**
   * The bytes that a process of this user has read: a read counts when it misses the page cache,
   * whether by {@code read} or through a mapping.
   *
   * @param process its number, or {@code self}
   */
  public static long read(String process) {
    return read(SystemFiles.real(), process);
  }

  static long read(SystemFiles system, String process) {
    return SystemFiles.numbers(system.path("/proc/" + process + "/io"))
        .getOrDefault("read_bytes", -1L);
  }

  /**
   * The bytes that were written to the disk or partition that a directory is on, since boot and by
   * any process. What is not yet synced is not included.
   */
  public static long written(Path directory) {
    return written(SystemFiles.real(), directory);
  }

  static long written(SystemFiles system, Path directory) {
    String[] fields = stat(system, directory, "stat");
    return fields.length <= WRITTEN_SECTORS ? -1 : Long.parseLong(fields[WRITTEN_SECTORS]) * SECTOR;
  }

  /**
   * How many times since boot the disk that a directory is on was made to flush its own cache, by
   * any process. The kernel may merge simultaneous requests into one.
   */
  public static long flushes(Path directory) {
    return flushes(SystemFiles.real(), directory);
  }

  static long flushes(SystemFiles system, Path directory) {
    // the kernel counts them for whole disks, whose folder contains that of a partition
    boolean whole = stat(system, directory, "partition").length == 0;
    String[] fields = stat(system, directory, whole ? "stat" : "../stat");
    return fields.length <= FLUSHES ? -1 : Long.parseLong(fields[FLUSHES]);
  }

  /** Returns the words of a file of the disk, or none if it cannot be read. */
  private static String[] stat(SystemFiles system, Path directory, String file) {
    Mounts.Mount mount = Mounts.of(system).holding(Mounts.real(directory));
    String line =
        mount == null ? null : system.line("/sys/dev/block/" + mount.device() + "/" + file);
    return line == null ? new String[0] : line.split("\\s+");
  }
}
