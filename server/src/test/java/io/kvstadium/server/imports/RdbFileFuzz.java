package io.kvstadium.server.imports;

import io.kvstadium.store.CorruptException;
import io.kvstadium.transfer.redis.KeySource;
import io.kvstadium.transfer.redis.RdbFile;
import java.io.ByteArrayInputStream;

/** A file of Redis: its keys, or an error that says where; never more than it says it holds. */
public final class RdbFileFuzz {
  private RdbFileFuzz() {}

  /** One file. */
  public static void fuzzerTestOneInput(byte[] input) {
    try (RdbFile file = new RdbFile("fuzz", new ByteArrayInputStream(input), 0)) {
      for (KeySource.Item item = file.next(); item != null; item = file.next()) {
        if (item.content() == null) {
          throw new AssertionError("a key of nothing");
        }
      }
    } catch (CorruptException e) {
      // reported
    }
  }
}
