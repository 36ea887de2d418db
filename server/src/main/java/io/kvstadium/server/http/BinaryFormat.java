package io.kvstadium.server.http;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Entries as lengths and bytes. Each is the key's length, the key, the value's length and the
 * value; lengths are 32 bits, the highest byte first. A value's length with all bits set means that
 * only keys were asked for. A key's length with all bits set means that no entry follows, but the
 * length of a token and the token; its length is 0 if nothing is left. A reply without this end is
 * incomplete.
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
