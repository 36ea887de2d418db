package io.kvstadium.server.rocksserver;

import io.kvstadium.backup.Backup;
import io.kvstadium.server.http.EntryFormat;
import io.kvstadium.server.http.Reply;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Pairs, values and words as RocksServer's protocol writes them. */
enum ReplyFormat implements EntryFormat {
  PAIRS;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd.MM.yyyy HH:mm:ss Z", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  @Override
  public String type() {
    return Reply.TEXT;
  }

  @Override
  public void begin(ByteBuf out) {}

  @Override
  public void entry(ByteBuf out, byte[] key, @Nullable MemorySegment value) {
    out.writeBytes(key).writeByte('\n');
    if (value == null) {
      missing(out);
    } else {
      length(out, value.byteSize());
      out.writeBytes(value.asByteBuffer()).writeByte('\n');
    }
  }

  @Override
  public void end(ByteBuf out, byte @Nullable [] last) {}

  @Override
  public long length(int key, long value) {
    return key + 1 + Long.toString(value).length() + 1 + value + 1;
  }

  static void value(ByteBuf out, byte @Nullable [] value) {
    if (value == null) {
      missing(out);
    } else {
      length(out, value.length);
      out.writeBytes(value).writeByte('\n');
    }
  }

  static void pair(ByteBuf out, byte[] key, byte @Nullable [] value) {
    out.writeBytes(key).writeByte('\n');
    value(out, value);
  }

  /** The number of backups, and a paragraph for each. */
  static String backups(List<Backup> all) {
    StringBuilder text = new StringBuilder().append(all.size());
    for (Backup backup : all) {
      text.append("\nid: ").append(backup.id());
      text.append("\ntimestamp: ").append(backup.time().getEpochSecond());
      text.append("\ntime: ").append(TIME.format(backup.time()));
      text.append("\nsize: ").append(backup.bytes()).append('\n');
    }
    return text.toString();
  }

  private static void length(ByteBuf out, long length) {
    out.writeCharSequence(Long.toString(length), StandardCharsets.US_ASCII);
    out.writeByte('\n');
  }

  private static void missing(ByteBuf out) {
    out.writeCharSequence("-1\n", StandardCharsets.US_ASCII);
  }
}
