package io.kvstadium.bench.machine;

import java.nio.file.Path;
import java.util.Map;

/**
 * Bytes that were written to or read from a block device.
 *
 * <p>For a process, from Linux's {@code /proc/self/io}: a read counts when it misses the page
 * cache, whether by {@code read} or through a mapping. A write counts when a page of the cache
 * becomes dirty, also through a mapping, for the process that dirtied it; when it goes to the
 * device, and whether the kernel or another process pushes it there, makes no difference. Pages
 * that were deleted before they were written are subtracted. Where the file system caches in large
 * folios (ext4 since Linux 6.16, XFS) a whole folio counts, however little of it became dirty: 200
 * MiB were seen for 200 synced writes of 4 KiB. So trust the reads; for writes, prefer {@link
 * #ofDisk} on a quiet machine, or a control group. What a virtual or compressing device makes of it
 * is not visible here.
 *
 * @param readBytes or -1 if unknown
 * @param writtenBytes or -1 if unknown; may be below zero for an interval in which more was
 *     cancelled than dirtied
 */
public record DeviceIo(long readBytes, long writtenBytes) {
  /** The unit of the kernel's block statistics, regardless of the disk's own. */
  private static final int SECTOR = 512;

  private static final int READ_SECTORS = 2;
  private static final int WRITTEN_SECTORS = 6;
  private static final int FLUSHES = 15;

  /** Nothing is known. */
  public static final DeviceIo UNKNOWN = new DeviceIo(-1, -1);

  /** Returns the traffic of this process since it began. */
  public static DeviceIo now() {
    return now(SystemFiles.real());
  }

  /** Returns the traffic of another process of this user since it began. */
  public static DeviceIo of(long process) {
    return of(SystemFiles.real(), Long.toString(process));
  }

  static DeviceIo now(SystemFiles system) {
    return of(system, "self");
  }

  private static DeviceIo of(SystemFiles system, String process) {
    Map<String, Long> io = SystemFiles.numbers(system.path("/proc/" + process + "/io"));
    Long read = io.get("read_bytes");
    Long written = io.get("write_bytes");
    return new DeviceIo(
        read == null ? -1 : read,
        written == null ? -1 : written - io.getOrDefault("cancelled_write_bytes", 0L));
  }

  /**
   * Returns the traffic of the disk or partition that a directory is on, since boot and by any
   * process. What was written but is not yet synced is not included.
   *
   * @param directory an existing one
   */
  public static DeviceIo ofDisk(Path directory) {
    return ofDisk(SystemFiles.real(), directory);
  }

  static DeviceIo ofDisk(SystemFiles system, Path directory) {
    String[] fields = stat(system, directory, "stat");
    return fields.length <= WRITTEN_SECTORS
        ? UNKNOWN
        : new DeviceIo(
            Long.parseLong(fields[READ_SECTORS]) * SECTOR,
            Long.parseLong(fields[WRITTEN_SECTORS]) * SECTOR);
  }

  /**
   * Returns how many times since boot the disk that a directory is on was made to flush its own
   * cache, by any process, or -1 if unknown. The kernel may merge simultaneous requests into one.
   *
   * @param directory an existing one
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

  /** Returns what was added since an earlier look; unknown if either is. */
  public DeviceIo since(DeviceIo before) {
    return new DeviceIo(
        readBytes < 0 || before.readBytes < 0 ? -1 : readBytes - before.readBytes,
        this.equals(UNKNOWN) || before.equals(UNKNOWN) ? -1 : writtenBytes - before.writtenBytes);
  }
}
