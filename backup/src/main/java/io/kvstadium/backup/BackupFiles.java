package io.kvstadium.backup;

import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.Sync;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** File operations of backups. No symbolic link to a file is followed. */
final class BackupFiles {
  private static final int BUFFER = 1 << 16;

  private BackupFiles() {}

  /** The content of a file. */
  record Content(long length, String sha256) {}

  static boolean isFile(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  static InputStream in(Path file) throws IOException {
    return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
  }

  /** Reads the content of a file. */
  static Content content(Path file, RateLimiter limiter) throws IOException {
    try (InputStream in = in(file)) {
      return transfer(in, OutputStream.nullOutputStream(), limiter);
    }
  }

  /** Copies a file to one that does not exist, synced; returns its content. */
  static Content copy(Path from, Path to, RateLimiter limiter) throws IOException {
    Content content;
    try (InputStream in = in(from);
        OutputStream out =
            Files.newOutputStream(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      content = transfer(in, out, limiter);
    }
    Sync.force(to);
    return content;
  }

  private static Content transfer(InputStream in, OutputStream out, RateLimiter limiter)
      throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
    byte[] buffer = new byte[BUFFER];
    long length = 0;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      digest.update(buffer, 0, n);
      out.write(buffer, 0, n);
      length += n;
      limiter.passed(n);
    }
    return new Content(length, HexFormat.of().formatHex(digest.digest()));
  }

  /** The files in a directory, by name; none if it does not exist. */
  static List<Path> list(Path directory) throws IOException {
    return Files.isDirectory(directory) ? all(directory) : List.of();
  }

  /** What is in a directory, by name. */
  static List<Path> all(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  /** Syncs the names in a directory, where the system does not do that on its own. */
  static void syncNames(Path directory) throws IOException {
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Sync.force(directory);
    }
  }

  /** Makes a directory and all that it holds survive a power cut. */
  static void syncTree(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (Files.isDirectory(path)) {
          syncNames(path);
        } else {
          Sync.force(path);
        }
      }
    }
  }

  /**
   * What to throw.
   *
   * @param place a place that users know: the directory of the backups, or of a restored store
   */
  static StadiumException failed(Object place, IOException e) {
    String text = place + ": reading or writing files failed (" + e + ")";
    return Failure.ofFiles(e).kind() == Failure.Kind.FULL
        ? new FullException(place + ": the disk is full: make room, then try again", e)
        : new StoreIoException(text + ": check the disk and permissions, then try again", e);
  }
}
