package io.kvstadium.torture.fault;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A file system in a file, mounted by a loop device in its own namespace. */
public final class LoopDisk implements Closeable {
  private final MountNamespace namespace;
  private final DiskFormat format;
  private final Path image;
  private final Path mountPoint;
  private final boolean ownPoint;
  private boolean mounted;

  /**
   * Makes and mounts it.
   *
   * @param home where its image is and where it is mounted
   * @param bytes how large it is
   */
  public LoopDisk(MountNamespace namespace, Path home, DiskFormat format, long bytes)
      throws IOException {
    this(namespace, home, null, format, bytes);
  }

  /**
   * Makes and mounts it.
   *
   * @param home where its image is
   * @param over the directory that it hides in its namespace; {@code null} for a new one
   * @param bytes how large it is
   */
  public LoopDisk(
      MountNamespace namespace, Path home, @Nullable Path over, DiskFormat format, long bytes)
      throws IOException {
    this.namespace = namespace;
    this.format = format;
    image = Files.createTempFile(home, "disk-", ".img");
    ownPoint = over == null;
    mountPoint = over == null ? Files.createTempDirectory(home, "mount-") : over;
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(bytes);
    }
    namespace.run(format.make(image));
    mount();
  }

  MountNamespace namespace() {
    return namespace;
  }

  DiskFormat format() {
    return format;
  }

  Path image() {
    return image;
  }

  Path mountPoint() {
    return mountPoint;
  }

  /** Mounts it, which replays the file system's journal, as after a restart of the machine. */
  void mount() throws IOException {
    namespace.run("mount", "-o", "loop,noatime", image.toString(), mountPoint.toString());
    mounted = true;
  }

  void unmount() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        namespace.run("umount", mountPoint.toString());
        mounted = false;
        return;
      } catch (IOException e) {
        if (attempt == 50) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // until dead processes let go
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (mounted) {
      unmount();
    }
    if (ownPoint) {
      Files.delete(mountPoint);
    }
    Files.delete(image);
  }
}
