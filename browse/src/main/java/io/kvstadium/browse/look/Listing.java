package io.kvstadium.browse.look;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.kvstadium.browse.decode.Decoder;
import io.kvstadium.browse.decode.Decoder.Input;
import io.kvstadium.browse.decode.Decoders;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.TableReader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of entries. */
public final class Listing {
  /** How much of a value is read for a line. */
  static final int HEAD = 1 << 11;

  private static final int SHOWN = 400;

  /**
   * The beginning of a value.
   *
   * @param length of the whole value
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Head(byte[] bytes, long length) {
    static Head of(MemorySegment value, int max) {
      long length = value.byteSize();
      return new Head(value.asSlice(0, Math.min(length, max)).toArray(JAVA_BYTE), length);
    }

    Input input() {
      return new Input(bytes, bytes.length == length, false);
    }
  }

  /** An entry as it is read. */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Found(byte[] key, Head value) {}

  /** An entry as it is shown: {@code id} is its key in hexadecimal digits. */
  public record Line(String id, String key, String value, long length) {}

  /**
   * Entries in order.
   *
   * @param more whether there are more in the direction that was read
   * @param damage what ended the reading, {@code null} if nothing did
   */
  public record Page(List<Found> entries, boolean more, @Nullable String damage) {}

  private Listing() {}

  /** The entries of a range, in key order also if the range is read backwards. */
  public static Page read(TableReader<byte[], byte[]> table, Range<byte[]> range, int limit) {
    List<Found> entries = new ArrayList<>();
    boolean more = false;
    String damage = null;
    try (Cursor<byte[], byte[]> cursor = table.scan(range.limit(limit + 1L))) {
      while (cursor.next()) {
        if (entries.size() == limit) {
          more = true;
          break;
        }
        entries.add(found(cursor));
      }
    } catch (StadiumException e) {
      damage = e.getMessage();
    }
    if (range.reversed()) {
      Collections.reverse(entries);
    }
    return new Page(entries, more, damage);
  }

  /** The entry that a cursor is at. */
  public static Found found(Cursor<byte[], byte[]> cursor) {
    return new Found(cursor.key(), cursor.value(value -> Head.of(value, HEAD)));
  }

  /** The decoders that fit a table's first entries: of its keys, and of its values. */
  public static List<Decoder> guess(List<Found> entries) {
    return List.of(
        Decoders.ofTable(entries.stream().map(each -> new Input(each.key(), true, false)).toList()),
        Decoders.ofTable(entries.stream().map(each -> each.value().input()).toList()));
  }

  /** An entry in a line. */
  public static Line line(Found entry, Decoder keys, Decoder values) {
    return new Line(
        Hex.of(entry.key()),
        cut(Decoders.decode(keys, new Input(entry.key(), true, false)).text()),
        cut(Decoders.decode(values, entry.value().input()).text()),
        entry.value().length());
  }

  static String cut(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
