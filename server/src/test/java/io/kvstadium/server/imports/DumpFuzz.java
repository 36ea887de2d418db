package io.kvstadium.server.imports;

import io.kvstadium.transfer.redis.Content;
import io.kvstadium.transfer.redis.Kind;
import io.kvstadium.transfer.redis.RdbException;
import io.kvstadium.transfer.redis.RdbReader;

/** Input of RESTORE: a value, or an error that is reported; never more than it says it holds. */
public final class DumpFuzz {
  private DumpFuzz() {}

  /** One input, without the checksum after it. */
  public static void fuzzerTestOneInput(byte[] input) {
    try {
      Content content = RdbReader.read(input);
      if (content.parts().isEmpty() && content.kind() != Kind.STREAM) {
        throw new AssertionError("a value of nothing");
      }
    } catch (RdbException e) {
      // reported
    }
  }
}
