package io.kvstadium.store.internal.move;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where something was changed: not to what, since the follower reads the present values.
 *
 * @param key the entry, or {@code null} for a range
 * @param range the entries, or {@code null} for one entry
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record Change(String table, byte @Nullable [] key, @Nullable Range<byte[]> range) {
  /** A value of the log ends at this many bytes; one change is never parted. */
  private static final int CHUNK = 16 << 10;

  private static Change of(Write<EngineTable> write) {
    Range<byte[]> range = write.range();
    return new Change(write.table().name(), range == null ? write.key() : null, range);
  }

  /** What is written changes this: as values of the log. */
  static List<byte[]> encode(List<Write<EngineTable>> writes) throws IOException {
    List<byte[]> chunks = new ArrayList<>(1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
    DataOutputStream out = new DataOutputStream(bytes);
    for (Write<EngineTable> write : writes) {
      if (bytes.size() > CHUNK) {
        chunks.add(bytes.toByteArray());
        bytes.reset();
      }
      of(write).encode(out);
    }
    chunks.add(bytes.toByteArray());
    return chunks;
  }

  private void encode(DataOutputStream out) throws IOException {
    out.writeUTF(table);
    encode(out, key);
    if (range != null) {
      encode(out, range.from());
      out.writeBoolean(range.fromInclusive());
      encode(out, range.to());
      out.writeBoolean(range.toInclusive());
    }
  }

  private static void encode(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  /** The changes of a value of the log. */
  static List<Change> decode(byte[] value) throws IOException {
    List<Change> changes = new ArrayList<>(1);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(value));
    while (in.available() > 0) {
      String table = in.readUTF();
      byte[] key = bytes(in);
      changes.add(new Change(table, key, key == null ? range(in) : null));
    }
    return changes;
  }

  private static Range<byte[]> range(DataInputStream in) throws IOException {
    byte[] from = bytes(in);
    boolean fromInclusive = in.readBoolean();
    byte[] to = bytes(in);
    boolean toInclusive = in.readBoolean();
    Range<byte[]> range = Range.all();
    range = from == null ? range : range.from(from, fromInclusive);
    return to == null ? range : range.to(to, toInclusive);
  }

  private static byte @Nullable [] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length < 0 ? null : in.readNBytes(length);
  }
}
