package io.kvstadium.server.http;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Entries as lengths and bytes. Each is the key's length, the key, the value's length and the
 * value; lengths are 32 bits, the highest byte first. All bits set mean: as a value's length that
 * only keys were asked for; as a key's length that no entry follows, but the length of a token and
 * the token, of length 0 if nothing is left. A reply without this end is not whole.
 */
final class BinaryFormat implements EntryFormat {
  static final String TYPE = "application/vnd.stadium.entries";

  private static final int NONE = -1;

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public void begin(ByteBuf out) {}

  @Override
  public void entry(ByteBuf out, byte[] key, @Nullable MemorySegment value) {
    out.writeInt(key.length).writeBytes(key);
    if (value == null) {
      out.writeInt(NONE);
    } else {
      out.writeInt((int) value.byteSize()).writeBytes(value.asByteBuffer());
    }
  }

  @Override
  public void end(ByteBuf out, byte @Nullable [] last) {
    String token = last == null ? "" : RangeQuery.token(last);
    out.writeInt(NONE).writeInt(token.length());
    out.writeCharSequence(token, StandardCharsets.US_ASCII);
  }
}
