package io.kvstadium.torture.fault;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.torture.child.Home;
import io.kvstadium.torture.child.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** File systems whose power can be cut. */
public enum DiskFormat {
  /** With no space reserved for root, who could otherwise continue writing to a full disk. */
  EXT4(16 << 20, "e2fsprogs", "mkfs.ext4 -q -F -m 0 -E nodiscard"),
  XFS(300 << 20, "xfsprogs", "mkfs.xfs -q -K");

  /** The smallest possible size. */
  private final long leastBytes;

  /** Debian's package with that command. */
  private final String debian;

  /** The words of the command that makes one, to which the image is appended. */
  private final String make;

  DiskFormat(long leastBytes, String debian, String make) {
    this.leastBytes = leastBytes;
    this.debian = debian;
    this.make = make;
  }

  /** As on the command line: {@code ext4}, {@code xfs}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The format that a word names.
   *
   * @throws BadArgumentException if it names none
   */
  public static DiskFormat of(String word) {
    return Arrays.stream(values())
        .filter(format -> format.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            new BadArgumentException(
                "unknown file system '"
                    + word
                    + "': use "
                    + Arrays.stream(values())
                        .map(DiskFormat::word)
                        .collect(Collectors.joining(", "))));
  }

  /** Why it is not available here, or {@code null}. */
  public @Nullable String unavailable() {
    String mounts = MountNamespace.unavailable();
    if (mounts != null) {
      return mounts;
    }
    for (String program : List.of(make.split(" ", 2)[0], "losetup")) {
      if (!Shell.isInstalled(program)) {
        return "it needs the program " + program + " (packages " + debian + " and mount)";
      }
    }
    return this == XFS ? Xfs.REASON : Ext4.REASON;
  }

  /** The formats that are available here. */
  public static List<DiskFormat> available() {
    return Arrays.stream(values()).filter(format -> format.unavailable() == null).toList();
  }

  /**
   * The formats to draw from.
   *
   * @param format the only one; {@code null} for all that are available
   * @throws BadArgumentException if it is not available here
   */
  public static List<DiskFormat> wanted(@Nullable DiskFormat format) {
    if (format == null) {
      return available();
    }
    String unavailable = format.unavailable();
    if (unavailable != null) {
      throw new BadArgumentException("no " + format.word() + " here: " + unavailable);
    }
    return List.of(format);
  }

  /** Not every container has loop devices. Tried once. */
  private static final class Ext4 {
    static final @Nullable String REASON = EXT4.trial();
  }

  /** Not every kernel supports it. Tried once. */
  private static final class Xfs {
    static final @Nullable String REASON = XFS.trial();
  }

  /** What is wrong after cutting the power of one; {@code null} if it works. */
  private @Nullable String trial() {
    try (Home home = Home.at(null);
        MountNamespace namespace = new MountNamespace();
        LoopDisk disk = new LoopDisk(namespace, home.directory(), this, leastBytes)) {
      PowerCut.cut(disk);
      return null;
    } catch (IOException | StoreIoException e) {
      return "this system does not allow it (" + e.getMessage() + ")";
    }
  }

  /** The command that makes a file system of this format. */
  String[] make(Path image) {
    return Stream.concat(Arrays.stream(make.split(" ", -1)), Stream.of(image.toString()))
        .toArray(String[]::new);
  }
}
