package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDBException;

/**
 * Backups of an open database: a checkpoint, which consists of hard links to its table files and
 * copies of the rest, and so must be on the same disk.
 */
final class RocksDbBackup {
  private RocksDbBackup() {}

  /**
   * Makes a backup.
   *
   * @return whether there is one: not without hard links, which some file systems lack
   */
  static boolean make(RocksDbDatabase database, BackupTarget target)
      throws RocksDBException, IOException {
    Path folder = database.makeFolder();
    try {
      if (!RocksDbDatabase.hasLinks(folder)) {
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
      FileTrees.remove(folder);
    }
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** Returns whether it is a table file: these never change, and no two share name and identity. */
  private static boolean isImmutable(String name) {
    return name.endsWith(".sst") || name.endsWith(".blob");
  }
}
