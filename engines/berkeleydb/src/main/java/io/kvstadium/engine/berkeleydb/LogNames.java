package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.log.FileManager;
import io.kvstadium.store.spi.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The names of the log's files. JE syncs what it writes into a file, but not the directory that has
 * its name: a file system may lose a new file in a power cut with all that was synced into it. ext4
 * and XFS keep it; POSIX does not say so. Safe for all threads.
 */
final class LogNames {
  private final FileManager files;
  private final Path directory;
  private volatile long synced = -1; // the number of the newest file whose name is

  LogNames(Environment environment, Path directory) {
    this.files = DbInternal.getNonNullEnvImpl(environment).getFileManager();
    this.directory = directory;
  }

  /** Makes the names of all files survive that commits have been synced into. */
  void sync() throws IOException {
    long newest = files.getCurrentFileNum();
    if (newest == synced) {
      return;
    }
    // a number is given out before there is a file
    boolean there = Files.exists(directory.resolve("%08x.jdb".formatted(newest)));
    Sync.force(directory);
    if (there) {
      synced = newest;
    }
  }
}
