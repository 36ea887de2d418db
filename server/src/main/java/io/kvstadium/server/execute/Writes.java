package io.kvstadium.server.execute;

import io.kvstadium.store.Batch;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Table;

/** Where the writes to one table go. */
public interface Writes {
  void put(byte[] key, byte[] value);

  void delete(byte[] key);

  void delete(Range<byte[]> range);

  /**
   * Into a batch.
   *
   * @param ranges whether the store removes ranges in batches
   */
  static Writes to(Batch batch, Table<byte[], byte[]> table, boolean ranges) {
    return new Writes() {
      @Override
      public void put(byte[] key, byte[] value) {
        batch.put(table, key, value);
      }

      @Override
      public void delete(byte[] key) {
        batch.delete(table, key);
      }

      @Override
      public void delete(Range<byte[]> range) {
        if (ranges) {
          batch.delete(table, range);
          return;
        }
        try (Cursor<byte[], byte[]> cursor = table.scan(range.keysOnly())) {
          while (cursor.next()) {
            delete(cursor.key());
          }
        }
      }
    };
  }

  /** One by one, for engines without batches. */
  static Writes oneByOne(Table<byte[], byte[]> table) {
    return new Writes() {
      @Override
      public void put(byte[] key, byte[] value) {
        table.put(key, value);
      }

      @Override
      public void delete(byte[] key) {
        table.delete(key);
      }

      @Override
      public void delete(Range<byte[]> range) {
        table.delete(range);
      }
    };
  }
}
