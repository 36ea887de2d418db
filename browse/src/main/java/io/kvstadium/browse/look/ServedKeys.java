package io.kvstadium.browse.look;

import io.kvstadium.browse.decode.Decoder.Input;
import io.kvstadium.browse.decode.Decoders;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys as {@code stadium serve} stores them, which {@code docs/internals/server-format.md}
 * describes.
 */
public final class ServedKeys {
  private static final List<String> KINDS =
      List.of("string", "hash", "list", "set", "sorted set", "stream", "long string", "hash");

  /** How many bytes of a long string are in one element. */
  private static final long FRAGMENT = 8_176;

  private static final byte[] VERSION = "mv".getBytes(StandardCharsets.US_ASCII);
  private static final int EXPIRES = 8;

  /**
   * What the header of a key says.
   *
   * @param expires when the key does, {@code null} for never
   * @param elements of a collection, bytes of a long string, -1 for a string
   * @param start where a string's bytes begin
   */
  public record Header(
      String kind,
      @Nullable String expires,
      long elements,
      long generation,
      long first,
      int start) {}

  /** An element: a field and its value, a member and its score, an ID and its fields … */
  public record Element(String name, String value) {}

  /**
   * Elements of a key.
   *
   * @param next the element to go on with, in hexadecimal digits, {@code null} after the last
   */
  public record Elements(List<Element> elements, @Nullable String next) {}

  private ServedKeys() {}

  /** Whether a table is in this form. */
  public static boolean isServed(TableReader<byte[], byte[]> table) {
    byte[] version = table.get(VERSION);
    return version != null && version.length == 1 && (version[0] == 1 || version[0] == 2);
  }

  /**
   * The header of a value.
   *
   * @throws CorruptException if it is none
   */
  public static Header header(byte[] value) {
    try {
      ByteBuffer in = ByteBuffer.wrap(value);
      int first = in.get();
      int kind = first & 7;
      if (first >> 4 != 1 || kind >= KINDS.size()) {
        throw new CorruptException("this is no key of stadium serve: its first byte is " + first);
      }
      String expires =
          (first & EXPIRES) == 0 ? null : Instant.ofEpochMilli(in.getLong()).toString();
      boolean plain = kind == 0;
      long generation = plain ? 0 : in.getLong();
      long elements = plain ? -1 : in.getLong();
      long index = KINDS.get(kind).equals("list") ? in.getLong() : 0;
      return new Header(KINDS.get(kind), expires, elements, generation, index, in.position());
    } catch (BufferUnderflowException e) {
      throw new CorruptException("this is no key of stadium serve: it is too short", e);
    }
  }

  /** Some elements of a collection, from one on; a page may have fewer than the limit. */
  public static Elements elements(
      TableReader<byte[], byte[]> table, Header header, @Nullable String from, int limit) {
    List<Element> elements = new ArrayList<>();
    byte[] prefix = ByteBuffer.allocate(9).put((byte) 'e').putLong(header.generation).array();
    Range<byte[]> range =
        switch (header.kind) {
          case "sorted set" -> Range.prefix(with(prefix, 's'));
          default -> Range.prefix(prefix);
        };
    range = from == null ? range : range.from(Hex.parse(from), true);
    try (Cursor<byte[], byte[]> cursor = table.scan(range.limit(limit + 1L))) {
      while (cursor.next()) {
        if (elements.size() == limit) {
          return new Elements(elements, Hex.of(cursor.key()));
        }
        byte[] key = cursor.key();
        if (!header.kind.equals("stream") || !isIndex(key, prefix.length)) {
          ByteBuffer rest = ByteBuffer.wrap(key, prefix.length, key.length - prefix.length);
          elements.add(element(header, rest, cursor.value()));
        }
      }
    }
    return new Elements(elements, null);
  }

  /** What is pending by consumer, which is pending by ID, too. */
  private static boolean isIndex(byte[] key, int start) {
    int kind = start + 1 + Long.BYTES;
    return key[start] == 'g' && kind < key.length && key[kind] == 'q';
  }

  private static byte[] with(byte[] prefix, char next) {
    byte[] longer = Arrays.copyOf(prefix, prefix.length + 1);
    longer[prefix.length] = (byte) next;
    return longer;
  }

  private static Element element(Header header, ByteBuffer rest, byte[] value) {
    return switch (header.kind) {
      case "hash" -> new Element(text(rest), text(value));
      case "set" -> new Element(text(rest), "");
      case "long string" -> new Element("byte " + rest.getInt() * FRAGMENT, text(value));
      case "list" ->
          new Element(Long.toString((rest.getLong() ^ Long.MIN_VALUE) - header.first), text(value));
      case "sorted set" -> {
        rest.get();
        String score = Double.toString(score(rest.getLong()));
        yield new Element(text(rest), score);
      }
      default -> streamed(rest, value);
    };
  }

  private static Element streamed(ByteBuffer rest, byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    return switch (rest.get()) {
      case 'i' -> new Element(id(rest), fields(in));
      case 'n' -> {
        long number = in.getLong();
        String last = id(in);
        long read = in.getLong();
        yield new Element(
            "group " + text(rest),
            "number %d, last delivered %s, entries read %s, pending %d, consumers %d"
                .formatted(
                    number, last, read < 0 ? "not known" : read, in.getLong(), in.getLong()));
      }
      case 'g' -> {
        String group = "group number " + rest.getLong();
        yield switch (rest.get()) {
          case 'c' ->
              new Element(
                  group + ", consumer " + text(rest),
                  "last seen "
                      + Instant.ofEpochMilli(in.getLong())
                      + ", pending "
                      + (in.remaining() >= Long.BYTES ? in.getLong() : "not known"));
          default -> new Element(group + ", pending " + id(rest), pending(in));
        };
      }
      default -> new Element(Hex.of(remaining(rest)), text(value));
    };
  }

  private static String pending(ByteBuffer in) {
    String when = Instant.ofEpochMilli(in.getLong()).toString();
    return "delivered " + when + ", times " + in.getLong() + ", to " + text(in);
  }

  private static String id(ByteBuffer in) {
    return Long.toUnsignedString(in.getLong()) + "-" + Long.toUnsignedString(in.getLong());
  }

  private static String fields(ByteBuffer in) {
    long count = number(in);
    StringBuilder text = new StringBuilder();
    for (long i = 0; i < count && in.hasRemaining(); i++) {
      int length = (int) Math.min(number(in), in.remaining());
      byte[] part = new byte[length];
      in.get(part);
      text.append(i == 0 ? "" : i % 2 == 0 ? ", " : "=").append(text(part));
    }
    return text.toString();
  }

  private static long number(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      byte part = in.get();
      number |= (part & 0x7fL) << shift;
      if (part >= 0) {
        break;
      }
    }
    return number;
  }

  private static double score(long ordered) {
    return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : ~ordered);
  }

  private static String text(ByteBuffer rest) {
    return text(remaining(rest));
  }

  private static byte[] remaining(ByteBuffer rest) {
    byte[] bytes = new byte[rest.remaining()];
    rest.get(bytes);
    return bytes;
  }

  private static String text(byte[] bytes) {
    return Listing.cut(
        Decoders.decode(Decoders.named("text"), new Input(bytes, true, false)).text());
  }
}
