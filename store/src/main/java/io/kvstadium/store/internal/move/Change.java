package io.kvstadium.store.internal.move;

import io.kvstadium.store.Range;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where something was changed: not to what, since the follower reads the present values.
 *
 * @param key the entry, or {@code null} for a range
 * @param range the entries, or {@code null} for one entry or, if there is no key either, for a
 *     table that was made, removed or filled
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record Change(String table, byte @Nullable [] key, @Nullable Range<byte[]> range) {
  /** A value of the log ends at this many bytes; one change is never parted. */
  private static final int CHUNK = 16 << 10;

  private static final int KEY = 1;
  private static final int RANGE = 2;
  private static final int TABLE = 4;
  private static final int FROM = 8;
  private static final int FROM_INCLUSIVE = 16;
  private static final int TO = 32;
  private static final int TO_INCLUSIVE = 64;

  static Change entry(String table, byte[] key) {
    return new Change(table, key, null);
  }

  static Change range(String table, Range<byte[]> range) {
    return new Change(table, null, range);
  }

  static Change whole(String table) {
    return new Change(table, null, null);
  }

  /** As values of the log. */
  static List<byte[]> encode(List<Change> changes) {
    List<byte[]> chunks = new ArrayList<>(1);
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    for (Change change : changes) {
      if (out.size() > CHUNK) {
        chunks.add(out.toByteArray());
        out.reset();
      }
      change.encode(out);
    }
    chunks.add(out.toByteArray());
    return chunks;
  }

  private void encode(ByteArrayOutputStream out) {
    if (key != null) {
      out.write(KEY);
      name(out);
      bytes(out, key);
    } else if (range != null) {
      byte[] from = range.from();
      byte[] to = range.to();
      out.write(
          RANGE
              | (from == null ? 0 : FROM)
              | (range.fromInclusive() ? FROM_INCLUSIVE : 0)
              | (to == null ? 0 : TO)
              | (range.toInclusive() ? TO_INCLUSIVE : 0));
      name(out);
      if (from != null) {
        bytes(out, from);
      }
      if (to != null) {
        bytes(out, to);
      }
    } else {
      out.write(TABLE);
      name(out);
    }
  }

  @SuppressWarnings("deprecation") // names are ASCII, and this is what costs nothing
  private void name(ByteArrayOutputStream out) {
    int length = table.length();
    byte[] bytes = new byte[length];
    table.getBytes(0, length, bytes, 0);
    out.write(length);
    out.write(bytes, 0, length);
  }

  private static void bytes(ByteArrayOutputStream out, byte[] bytes) {
    int length = bytes.length;
    out.write(length >>> 24);
    out.write(length >>> 16);
    out.write(length >>> 8);
    out.write(length);
    out.write(bytes, 0, length);
  }

  /** The changes of a value of the log. */
  static List<Change> decode(byte[] value) {
    List<Change> changes = new ArrayList<>(1);
    ByteBuffer in = ByteBuffer.wrap(value);
    while (in.hasRemaining()) {
      int kind = in.get();
      byte[] name = new byte[in.get()];
      in.get(name);
      String table = new String(name, java.nio.charset.StandardCharsets.ISO_8859_1);
      if ((kind & KEY) != 0) {
        changes.add(entry(table, bytes(in)));
      } else if ((kind & TABLE) != 0) {
        changes.add(whole(table));
      } else {
        Range<byte[]> range = Range.all();
        if ((kind & FROM) != 0) {
          range = range.from(bytes(in), (kind & FROM_INCLUSIVE) != 0);
        }
        if ((kind & TO) != 0) {
          range = range.to(bytes(in), (kind & TO_INCLUSIVE) != 0);
        }
        changes.add(range(table, range));
      }
    }
    return changes;
  }

  private static byte[] bytes(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return bytes;
  }
}
