package io.kvstadium.server.http.v1;

import io.kvstadium.server.http.EntryFormat;
import io.kvstadium.server.http.Json;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Entries as JSON. Belongs to one reply. */
public final class JsonFormat implements EntryFormat {
  private boolean first = true;

  @Override
  public String type() {
    return Json.TYPE;
  }

  @Override
  public void begin(ByteBuf out) {
    text(out, "{\"entries\":[");
  }

  @Override
  public void entry(ByteBuf out, byte[] key, @Nullable MemorySegment value) {
    one(
        out,
        key,
        json -> {
          if (value != null) {
            json.writeFieldName("value");
            Json.write(json, value.toArray(ValueLayout.JAVA_BYTE));
          }
        });
  }

  /**
   * Writes an entry that was asked for by its key.
   *
   * @param value {@code null} if there is none
   */
  void found(ByteBuf out, byte[] key, byte @Nullable [] value) {
    one(
        out,
        key,
        json -> {
          json.writeFieldName("value");
          if (value == null) {
            json.writeNull();
          } else {
            Json.write(json, value);
          }
        });
  }

  private void one(ByteBuf out, byte[] key, Json.Writing rest) {
    text(out, first ? "\n" : ",\n");
    first = false;
    out.writeBytes(
        Json.bytes(json -> {
          json.writeStartObject();
          json.writeFieldName("key");
          Json.write(json, key);
          rest.to(json);
          json.writeEndObject();
        }));
  }

  @Override
  public void end(ByteBuf out, byte @Nullable [] last) {
    String next = last == null ? "null" : "\"" + RangeQuery.token(last) + "\"";
    text(out, "\n],\"next\":" + next + "}\n");
  }

  /** Writes what comes after entries that were asked for by key. */
  void close(ByteBuf out) {
    text(out, "\n]}\n");
  }

  private static void text(ByteBuf out, String text) {
    out.writeCharSequence(text, StandardCharsets.US_ASCII);
  }
}
