package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDBException;

/**
 * Backups of an open database: a checkpoint, which consists of hard links to its table files and
 * copies of the rest, and so must be on the same disk.
 */
final class RocksDbBackup {
  /** In the store's directory; what a killed process left in it is removed at the next open. */
  private static final String FOLDER = "backup";

  private final RocksDbDatabase database;

  /** One backup at a time, since there is one folder. */
  private final ReentrantLock turn = new ReentrantLock();

  RocksDbBackup(RocksDbDatabase database) {
    this.database = database;
  }

  /** Returns whether it is a table file: these never change, and no two share name and identity. */
  private static boolean isImmutable(String name) {
    return name.endsWith(".sst") || name.endsWith(".blob");
  }

  /** Makes a backup; returns false, with nothing done, if the file system has no hard links. */
  boolean to(BackupTarget target) throws RocksDBException, IOException {
    Path folder = database.config.directory().resolve(FOLDER);
    turn.lock();
    try {
      FileTrees.remove(folder); // if an earlier removal failed
      Files.createDirectory(folder);
      if (!RocksDbLoad.hasLinks(folder, database.config.directory().resolve("CURRENT"))) {
        return false;
      }
      Path checkpoint = folder.resolve("checkpoint");
      try (Checkpoint maker = Checkpoint.create(database.db)) {
        maker.createCheckpoint(checkpoint.toString());
      }
      for (Path file : filesIn(checkpoint)) {
        String name = file.getFileName().toString();
        if (isImmutable(name)) {
          target.addImmutable(file, name);
        } else {
          Files.copy(file, target.directory().resolve(name));
        }
      }
      return true;
    } finally {
      try {
        FileTrees.remove(folder);
      } finally {
        turn.unlock();
      }
    }
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** Removes what a killed process left behind. */
  static void removeLeftovers(Path directory) throws IOException {
    FileTrees.remove(directory.resolve(FOLDER));
  }
}
