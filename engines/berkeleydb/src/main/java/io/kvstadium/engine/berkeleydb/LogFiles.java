package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.log.FileManager;
import io.kvstadium.store.engine.help.OwnThread;
import io.kvstadium.store.engine.help.Sync;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of JE's log, and what a power cut does to the newest. JE syncs a file before it begins
 * the next one, and the whole newest one at each synced commit. Safe for all threads.
 *
 * <ul>
 *   <li>It does not sync the directory with their names, so a file system may lose a new file with
 *       all that was synced into it. ext4 and XFS keep it; POSIX does not say so.
 *   <li>It does not open where the newest file has its length but not yet its first bytes. That
 *       file is set aside, as JE itself does with one that ends before its first entry.
 * </ul>
 */
final class LogFiles {
  /** Holds the number of the newest file whose content is promised to survive a power cut. */
  private static final String SYNCED = "stadium.synced";

  private static final String SUFFIX = ".jdb";
  private static final int RADIX = 16;

  /** JE's header of a file is shorter. */
  private static final int BEGINNING = 32;

  private final FileManager files;
  private final Path directory;
  private volatile long synced = -1; // since the open

  LogFiles(Environment environment, Path directory) {
    this.files = DbInternal.getNonNullEnvImpl(environment).getFileManager();
    this.directory = directory;
  }

  /** Syncs the names of all files that commits have been synced into. */
  void sync() throws IOException {
    if (files.getCurrentFileNum() != synced) {
      OwnThread.once(
          "sync",
          () -> {
            syncNames();
            return true;
          });
    }
  }

  private synchronized void syncNames() throws IOException {
    long newest = files.getCurrentFileNum();
    // a number is given out before there is a file
    boolean there = Files.exists(directory.resolve("%08x".formatted(newest) + SUFFIX));
    if (there) {
      Path part = directory.resolve(SYNCED + ".part");
      Files.writeString(part, Long.toString(newest, RADIX));
      Sync.force(part);
      Files.move(part, directory.resolve(SYNCED), StandardCopyOption.ATOMIC_MOVE);
    }
    Sync.force(directory);
    if (there) {
      synced = newest;
    }
  }

  /**
   * Sets the newest file aside, before JE sees it, if its beginning never reached the disk: nothing
   * in it was promised to survive the cut.
   */
  static void setUnwrittenAside(Path directory) throws IOException {
    List<Path> log;
    try (Stream<Path> all = Files.list(directory)) {
      log =
          all.filter(file -> file.getFileName().toString().matches("[0-9a-f]{8}\\" + SUFFIX))
              .sorted()
              .toList();
    }
    if (log.size() > 1 && isUnwritten(log.getLast()) && number(log.getLast()) > synced(directory)) {
      Files.move(
          log.getLast(),
          log.getLast().resolveSibling(log.getLast().getFileName() + ".unwritten"),
          StandardCopyOption.REPLACE_EXISTING);
      Sync.force(directory);
    }
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().replace(SUFFIX, ""), RADIX);
  }

  private static boolean isUnwritten(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] beginning = in.readNBytes(BEGINNING);
      for (byte each : beginning) {
        if (each != 0) {
          return false;
        }
      }
      return beginning.length == BEGINNING; // JE handles shorter ones
    }
  }

  private static long synced(Path directory) throws IOException {
    Path file = directory.resolve(SYNCED);
    return Files.exists(file) ? Long.parseLong(Files.readString(file).strip(), RADIX) : -1;
  }
}
