package io.kvstadium.bench.machine;

import java.nio.file.Path;
import java.util.Map;

/**
 * Bytes that went over to or came from a block device.
 *
 * <p>Of a process, by Linux's {@code /proc/self/io}: a read counts when it misses the page cache,
 * whether it came by {@code read} or through a mapping. A write counts when a page of the cache
 * becomes dirty, to whoever dirtied it, through a mapping too; when it goes to the device, and
 * whether the kernel or another process pushes it there, makes no difference. Pages that were
 * deleted before they were written are taken off. Where the file system caches in large folios
 * (ext4 since Linux 6.16, XFS) a whole folio counts however little of it became dirty: 200 MiB were
 * seen for 200 synced writes of 4 KiB. So trust the reads, and for writes rather use {@link
 * #ofDisk} on a quiet machine, or a control group's. What a virtual or compressing device makes of
 * it is not to be seen here.
 *
 * @param readBytes or -1 if unknown
 * @param writtenBytes or -1 if unknown; may be below zero for an interval in which more was
 *     cancelled than dirtied
 */
public record DeviceIo(long readBytes, long writtenBytes) {
  /** The unit of the kernel's block statistics, whatever the disk's own is. */
  private static final int SECTOR = 512;

  private static final int READ_SECTORS = 2;
  private static final int WRITTEN_SECTORS = 6;
  private static final int FLUSHES = 15;

  /** Where nothing is known. */
  public static final DeviceIo UNKNOWN = new DeviceIo(-1, -1);

  /** Of this process since it began. */
  public static DeviceIo now() {
    return now(SystemFiles.real());
  }

  static DeviceIo now(SystemFiles system) {
    Map<String, Long> io = SystemFiles.numbers(system.path("/proc/self/io"));
    Long read = io.get("read_bytes");
    Long written = io.get("write_bytes");
    return new DeviceIo(
        read == null ? -1 : read,
        written == null ? -1 : written - io.getOrDefault("cancelled_write_bytes", 0L));
  }

  /**
   * Of the disk or partition that a directory is on, since boot and by whatever process; what was
   * written but is not synced yet is not in it.
   *
   * @param directory that is there
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
   * How many times since boot the disk that a directory is on was made to write its own cache, by
   * whatever process; -1 if unknown. The kernel may join what several ask for at once into one.
   *
   * @param directory that is there
   */
  public static long flushes(Path directory) {
    return flushes(SystemFiles.real(), directory);
  }

  static long flushes(SystemFiles system, Path directory) {
    // the kernel counts them of whole disks, in whose folder a partition's is
    boolean whole = stat(system, directory, "partition").length == 0;
    String[] fields = stat(system, directory, whole ? "stat" : "../stat");
    return fields.length <= FLUSHES ? -1 : Long.parseLong(fields[FLUSHES]);
  }

  /** The words of a file of the disk; none where it cannot be read. */
  private static String[] stat(SystemFiles system, Path directory, String file) {
    Mounts.Mount mount = Mounts.of(system).holding(DiskChecks.real(directory));
    String line =
        mount == null ? null : system.line("/sys/dev/block/" + mount.device() + "/" + file);
    return line == null ? new String[0] : line.split("\\s+");
  }

  /** What was added since an earlier look; unknown where one of the two is. */
  public DeviceIo since(DeviceIo before) {
    return new DeviceIo(
        readBytes < 0 || before.readBytes < 0 ? -1 : readBytes - before.readBytes,
        this.equals(UNKNOWN) || before.equals(UNKNOWN) ? -1 : writtenBytes - before.writtenBytes);
  }
}
