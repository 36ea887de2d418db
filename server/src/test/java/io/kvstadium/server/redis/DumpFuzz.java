package io.kvstadium.server.redis;

/** Input of RESTORE: a value, or an error that is reported; never more than it says it holds. */
public final class DumpFuzz {
  private DumpFuzz() {}

  /** One input, without the checksum after it. */
  public static void fuzzerTestOneInput(byte[] input) {
    try {
      RdbReader.Value value = RdbReader.read(input);
      if (value.parts().isEmpty() && value.kind() != Kind.STREAM) {
        throw new AssertionError("a value of nothing");
      }
      if (value.kind() == Kind.ZSET) {
        for (int i = 1; i < value.parts().size(); i += 2) {
          RdbReader.score(value.parts().get(i));
        }
      }
    } catch (ReplyException e) {
      // reported
    }
  }
}
