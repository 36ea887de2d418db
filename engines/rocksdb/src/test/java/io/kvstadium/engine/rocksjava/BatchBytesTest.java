package io.kvstadium.engine.rocksjava;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.engine.Write;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Batches made here are the same as those that RocksDB makes. */
final class BatchBytesTest {
  private static final int MANY_TABLES = 130; // so that their numbers take two bytes

  @TempDir private Path directory;

  @Test
  void bytesAreThoseThatRocksDbMakes() throws RocksDBException {
    Stadium.open("rocksdb:" + directory.resolve("any")).close(); // loads the library
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, directory.resolve("own").toString())) {
      List<RocksDbTable> tables = new ArrayList<>();
      tables.add(table(db.getDefaultColumnFamily()));
      for (int i = 0; i < MANY_TABLES; i++) {
        tables.add(
            table(db.createColumnFamily(new ColumnFamilyDescriptor(new byte[] {'a', (byte) i}))));
      }
      List<Write<RocksDbTable>> writes = new ArrayList<>();
      try (WriteBatch theirs = new WriteBatch()) {
        for (RocksDbTable table : tables) {
          boolean first = table.family().getID() < 10; // all together are still collected
          for (int length :
              new int[] {0, 1, 127, 128, 300, first ? 16_383 : 2, first ? 16_384 : 3}) {
            byte[] bytes = random(length);
            writes.add(new Write<>(table, bytes, new byte[0]));
            theirs.put(table.family(), bytes, new byte[0]);
            writes.add(new Write<>(table, new byte[] {1}, bytes));
            theirs.put(table.family(), new byte[] {1}, bytes);
            writes.add(new Write<>(table, bytes, null));
            theirs.delete(table.family(), bytes);
          }
        }

        assertThat(BatchBytes.count(writes)).isEqualTo(writes.size());
        assertThat(BatchBytes.of(writes)).isEqualTo(theirs.data());
      }
      assertThat(BatchBytes.of(List.of())).isEqualTo(new WriteBatch().data());
      for (RocksDbTable table : tables.subList(1, tables.size())) {
        table.family().close();
      }
    }
  }

  @Test
  void rangesAndWhatIsBehindThemAndVeryLargeBatchesAreLeftToRocksDb() throws RocksDBException {
    Stadium.open("rocksdb:" + directory.resolve("any")).close();
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, directory.resolve("own").toString())) {
      RocksDbTable table = table(db.getDefaultColumnFamily());
      Write<RocksDbTable> small = new Write<>(table, new byte[1], new byte[1]);
      Write<RocksDbTable> large = new Write<>(table, new byte[1], new byte[5 << 20]);
      Write<RocksDbTable> range = Write.delete(table, Range.all());

      assertThat(BatchBytes.count(List.of(small, range, small))).isEqualTo(1);
      assertThat(BatchBytes.count(List.of(large, large, small))).isEqualTo(1);
    }
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static RocksDbTable table(ColumnFamilyHandle family) {
    return new RocksDbTable("any", family, family.getID(), new RocksDbOptions.DiskNeeds(0, 0));
  }
}
