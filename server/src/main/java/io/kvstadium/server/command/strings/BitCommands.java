package io.kvstadium.server.command.strings;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands on strings as rows of bits, the highest of each byte first. */
public final class BitCommands {
  /** How many bytes are looked at together. */
  private static final int CHUNK = 1 << 20;

  private BitCommands() {}

  /**
   * A place in a string.
   *
   * @param call that names it
   * @param unit what the number is multiplied by if it has a {@code #} before it
   */
  static long offset(Call call, byte[] text, int unit) {
    boolean counted = unit > 1 && text.length > 0 && text[0] == '#';
    byte[] digits = counted ? Arrays.copyOfRange(text, 1, text.length) : text;
    String error = "bit offset is not an integer or out of range";
    long number = Numbers.integer(digits, error);
    if (number < 0 || number >= 8L * call.server().clients().maxString() / (counted ? unit : 1)) {
      throw ReplyException.error(error);
    }
    return counted ? number * unit : number;
  }

  static int bit(byte[] bytes, long at) {
    int index = (int) (at >> 3);
    return index < bytes.length ? bytes[index] >> (7 - (at & 7)) & 1 : 0;
  }

  static void set(byte[] bytes, long at, int bit) {
    int mask = 1 << (7 - (at & 7));
    int index = (int) (at >> 3);
    bytes[index] = (byte) (bit == 1 ? bytes[index] | mask : bytes[index] & ~mask);
  }

  public static void setbit(Call call) {
    long at = offset(call, call.arg(2), 1);
    String error = "bit is not an integer or out of range";
    long bit = Numbers.integer(call.arg(3), error);
    if (bit < 0 || bit > 1) {
      throw ReplyException.error(error);
    }
    StoredString string = StoredString.of(call.keys(), call.arg(1));
    byte[] part = string.part(at >> 3, 1);
    int before = bit(part, at & 7);
    if (string.length() <= at >> 3 || before != bit) { // else nothing changed for WATCH
      set(part, at & 7, (int) bit);
      string.put(at >> 3, part);
    }
    call.reply().integer(before);
  }

  public static void getbit(Call call) {
    long at = offset(call, call.arg(2), 1);
    call.reply()
        .integer(
            StoredString.read(
                call.keys(),
                call.arg(1),
                (at >> 3) + 1,
                string -> bit(string.part(at >> 3, 1), at & 7)));
  }

  /** The selected bits, from the first to the last, both included. */
  private record Span(long first, long last) {
    /** The span in a string of this length, from arguments that may count from its end. */
    static Span of(long length, long start, long end, boolean bits) {
      long total = bits ? length * 8 : length;
      long from = Math.max(0, start < 0 ? total + start : start);
      long to = Math.min(total - 1, Math.max(0, end < 0 ? total + end : end));
      return bits || from > to ? new Span(from, to) : new Span(from * 8, to * 8 + 7);
    }
  }

  /**
   * Some bytes of a string.
   *
   * @param before how many bits of the string are before them
   * @param span of their bits
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Chunk(byte[] bytes, long before, Span span) {
    /** The next of those that have the bits from one to another. */
    static Chunk of(StoredString string, long first, long last) {
      long before = first & ~7;
      int count = (int) Math.min(CHUNK, ((last - before) >> 3) + 1);
      Span span = new Span(first - before, Math.min(last - before, count * 8L - 1));
      return new Chunk(string.part(before >> 3, count), before, span);
    }

    /** The first bit after them. */
    long end() {
      return before + span.last() + 1;
    }
  }

  private static boolean inBits(Call call, int arg) {
    if (call.size() <= arg) {
      return false;
    }
    return switch (call.lowerCase(arg)) {
      case "bit" -> true;
      case "byte" -> false;
      default -> throw ReplyException.syntax();
    };
  }

  public static void bitcount(Call call) {
    call.reply()
        .integer(
            StoredString.read(
                call.keys(), call.arg(1), Long.MAX_VALUE, string -> count(call, string)));
  }

  private static long count(Call call, StoredString string) {
    if (!string.exists()) {
      return 0;
    }
    if (call.size() == 3 || call.size() > 5) {
      throw ReplyException.syntax();
    }
    long start = call.size() == 2 ? 0 : call.integer(2);
    long end = call.size() == 2 ? -1 : call.integer(3);
    Span span = Span.of(string.length(), start, end, inBits(call, 4));
    boolean empty = start < 0 && end < 0 && start > end;
    long count = 0;
    for (long at = span.first(); at <= span.last() && !empty; ) {
      Chunk chunk = Chunk.of(string, at, span.last());
      count += count(chunk.bytes(), chunk.span());
      at = chunk.end();
    }
    return count;
  }

  private static long count(byte[] value, Span span) {
    long count = 0;
    for (long at = span.first(); at <= span.last(); ) {
      if ((at & 7) == 0 && at + 7 <= span.last()) {
        count += Integer.bitCount(value[(int) (at >> 3)] & 0xff);
        at += 8;
      } else {
        count += bit(value, at);
        at++;
      }
    }
    return count;
  }

  public static void bitpos(Call call) {
    long bit = call.integer(2);
    if (bit < 0 || bit > 1) {
      throw ReplyException.error("The bit argument must be 1 or 0.");
    }
    call.reply()
        .integer(
            StoredString.read(
                call.keys(),
                call.arg(1),
                Long.MAX_VALUE,
                string -> first(call, string, (int) bit)));
  }

  private static long first(Call call, StoredString string, int bit) {
    if (!string.exists()) {
      return bit == 1 ? -1 : 0;
    }
    if (call.size() > 6) {
      throw ReplyException.syntax();
    }
    long start = call.size() > 3 ? call.integer(3) : 0;
    boolean bits = inBits(call, 5);
    long end = call.size() > 4 ? call.integer(4) : -1;
    Span span = Span.of(string.length(), start, end, bits);
    for (long at = span.first(); at <= span.last(); ) {
      Chunk chunk = Chunk.of(string, at, span.last());
      long found = first(chunk.bytes(), chunk.span(), bit);
      if (found >= 0) {
        return chunk.before() + found;
      }
      at = chunk.end();
    }
    boolean open = bit == 0 && call.size() < 5 && span.first() <= span.last();
    return open ? span.last() + 1 : -1; // after the end there are only zeros
  }

  private static long first(byte[] value, Span span, int bit) {
    byte none = (byte) (bit == 1 ? 0 : 0xff);
    for (long at = span.first(); at <= span.last(); at++) {
      if ((at & 7) == 0 && value[(int) (at >> 3)] == none) {
        at += 7;
      } else if (bit(value, at) == bit) {
        return at;
      }
    }
    return -1;
  }

  public static void bitop(Call call) {
    String operation = call.lowerCase(1);
    if (!List.of("and", "or", "xor", "not").contains(operation)) {
      throw ReplyException.syntax();
    }
    if (operation.equals("not") && call.size() != 4) {
      throw ReplyException.error("BITOP NOT must be called with a single source key.");
    }
    List<byte[]> sources = new ArrayList<>();
    int length = 0;
    for (int i = 3; i < call.size(); i++) {
      @Nullable StoredValue storedValue = StringCommands.string(call, i);
      sources.add(StringCommands.value(storedValue));
      length = Math.max(length, sources.getLast().length);
    }
    byte[] result = Arrays.copyOf(sources.getFirst(), length);
    for (int at = 0; at < length && operation.equals("not"); at++) {
      result[at] = (byte) ~result[at];
    }
    for (byte[] source : sources.subList(1, sources.size())) {
      for (int at = 0; at < length; at++) {
        int other = at < source.length ? source[at] : 0;
        result[at] =
            (byte)
                switch (operation) {
                  case "and" -> result[at] & other;
                  case "or" -> result[at] | other;
                  default -> result[at] ^ other;
                };
      }
    }
    if (length == 0) {
      call.keys().remove(call.arg(2));
    } else {
      call.keys().set(call.arg(2), StoredValue.string(result));
    }
    call.reply().integer(length);
  }
}
