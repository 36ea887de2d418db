package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.Entry;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/**
 * One bulk load: table files are written in a folder of the database's directory, and then become
 * the database's by hard links, or by copies where the file system has none.
 */
final class RocksDbLoad implements AutoCloseable {
  /** How much is sorted in memory at a time, objects included. */
  private static final long BYTES_PER_RUN = 32 << 20;

  private static final int OBJECT_BYTES = 80;

  /**
   * A file ends at the latest when its entries are this many times its full size: on a full disk
   * the file does not grow, and some versions report the error only at its end.
   */
  private static final int MOST_COMPRESSION = 16;

  private static final Comparator<Entry<byte[], byte[]>> BY_KEY =
      (a, b) -> Arrays.compareUnsigned(a.key(), b.key());

  private final RocksDbDatabase database;
  private final RocksDbTable table;
  private final Path folder;
  private final DBOptions databaseOptions;
  private final ColumnFamilyOptions family;
  private final Options options;
  private final EnvOptions environment;
  private final long fileSize;
  private final boolean moves;
  private int files;

  RocksDbLoad(RocksDbDatabase database, RocksDbTable table) throws IOException {
    this.database = database;
    this.table = table;
    folder = database.makeFolder();
    moves = RocksDbDatabase.hasLinks(folder);
    databaseOptions = RocksDbOptions.database(database.config);
    family = database.family(table);
    options = new Options(databaseOptions, family);
    environment = new EnvOptions(databaseOptions);
    fileSize = family.targetFileSizeBase();
  }

  /** Writes entries, whose keys ascend strictly, into files of disjoint ranges, synced. */
  List<String> write(Iterator<Entry<byte[], byte[]>> ascending) throws RocksDBException {
    List<String> written = new ArrayList<>();
    while (ascending.hasNext()) {
      String file = folder.resolve(files++ + ".sst").toString();
      try (SstFileWriter writer = new SstFileWriter(environment, options)) {
        writer.open(file);
        long bytes = 0;
        do {
          Entry<byte[], byte[]> entry = ascending.next();
          writer.put(entry.key(), entry.value());
          bytes += entry.key().length + (long) entry.value().length;
        } while (ascending.hasNext()
            && (bytes < fileSize
                || (writer.fileSize() < fileSize && bytes / MOST_COMPRESSION < fileSize)));
        writer.finish();
      }
      written.add(file);
    }
    return written;
  }

  /** Waits for compactions to catch up, as writes do, but not the ingestion of files. */
  void awaitCompactions() throws RocksDBException {
    while (database.db.getLongProperty(table.family(), "rocksdb.is-write-stopped") != 0
        && database.db.getLongProperty(table.family(), "rocksdb.background-errors") == 0) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** Adds files of disjoint ranges to the table: all at once, and durable when this returns. */
  void ingest(List<String> written) throws RocksDBException {
    if (!database.writes.disableWAL()) {
      // What was written before must not be lost to a power cut that spares the load.
      database.db.flushWal(true);
    }
    try (IngestExternalFileOptions how = new IngestExternalFileOptions()) {
      how.setMoveFiles(moves).setWriteGlobalSeqno(false);
      database.db.ingestExternalFile(table.family(), written, how);
    }
  }

  /**
   * Cuts entries into sorted runs without duplicates. As measured, 1,000,000 entries of 1 kB in
   * random order take a third of the time of batches, since they pass through neither log nor
   * memtable.
   */
  static Iterator<Iterator<Entry<byte[], byte[]>>> runs(Iterator<Entry<byte[], byte[]>> entries) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public Iterator<Entry<byte[], byte[]>> next() {
        List<Entry<byte[], byte[]>> run = new ArrayList<>();
        for (long bytes = 0; bytes < BYTES_PER_RUN && entries.hasNext(); ) {
          Entry<byte[], byte[]> entry = entries.next();
          run.add(entry);
          bytes += OBJECT_BYTES + entry.key().length + entry.value().length;
        }
        run.sort(BY_KEY); // stable: of several entries with one key the last stays last
        return withoutDuplicates(run).iterator();
      }
    };
  }

  private static List<Entry<byte[], byte[]>> withoutDuplicates(List<Entry<byte[], byte[]>> sorted) {
    List<Entry<byte[], byte[]>> unique = new ArrayList<>(sorted.size());
    for (int i = 0; i < sorted.size(); i++) {
      if (i + 1 == sorted.size() || BY_KEY.compare(sorted.get(i), sorted.get(i + 1)) != 0) {
        unique.add(sorted.get(i));
      }
    }
    return unique;
  }

  @Override
  public void close() throws IOException {
    environment.close();
    options.close();
    family.close();
    databaseOptions.close();
    FileTrees.remove(folder);
  }
}
