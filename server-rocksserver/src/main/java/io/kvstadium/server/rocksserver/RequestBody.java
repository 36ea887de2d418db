package io.kvstadium.server.rocksserver;

import io.kvstadium.server.http.HttpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the bodies of RocksServer's protocol. Malformed ones are refused. */
final class RequestBody {
  /**
   * What to do with a key.
   *
   * @param value {@code null} to delete it
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Pair(byte[] key, byte @Nullable [] value) {}

  private final byte[] body;
  private int at;

  private RequestBody(byte[] body) {
    this.body = body;
  }

  /** {@code K\nlen\nV}, which a newline may follow. */
  static List<Pair> set(byte[] body) {
    List<Pair> pairs = sets(body);
    if (pairs.size() != 1) {
      throw mismatch();
    }
    return pairs;
  }

  /** Any number of {@code K\nlen\nV\n}; the last newline may be missing. */
  static List<Pair> sets(byte[] body) {
    List<Pair> pairs = pairs(body);
    pairs.forEach(each -> named(each.key()));
    return pairs;
  }

  /** Refuses an empty key: no other request of this protocol could name it. */
  static byte[] named(byte[] key) {
    if (key.length == 0) {
      throw HttpException.badRequest("a key must not be empty");
    }
    return key;
  }

  private static List<Pair> pairs(byte[] body) {
    RequestBody in = new RequestBody(body);
    List<Pair> pairs = new ArrayList<>();
    while (in.at < body.length) {
      pairs.add(in.pair());
      if (in.at < body.length && body[in.at++] != '\n') {
        throw mismatch();
      }
    }
    return pairs;
  }

  /** Pairs; the value of each pair before the first non-empty key is a key to delete. */
  static List<Pair> deletesAndSets(byte[] body) {
    List<Pair> pairs = pairs(body);
    for (int i = 0; i < pairs.size() && pairs.get(i).key().length == 0; i++) {
      byte[] key = pairs.get(i).value();
      if (key != null) {
        pairs.set(i, new Pair(key, null));
      }
    }
    pairs.forEach(each -> named(each.key()));
    return pairs;
  }

  /** {@code K1\nK2…}. */
  static List<Pair> deletes(byte[] body) {
    return split(body, '\n').stream().map(key -> new Pair(key, null)).toList();
  }

  /** The parts between separators; at least one. */
  static List<byte[]> split(byte[] bytes, char separator) {
    List<byte[]> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= bytes.length; i++) {
      if (i == bytes.length || bytes[i] == separator) {
        parts.add(Arrays.copyOfRange(bytes, start, i));
        start = i + 1;
      }
    }
    return parts;
  }

  /**
   * The number at the beginning of a text, after white space, or 0 if there is none; beyond 64 bits
   * the nearest one, as in {@code strtoll}.
   */
  static long number(byte[] text) {
    int i = 0;
    while (i < text.length && (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))) {
      i++;
    }
    boolean negative = i < text.length && text[i] == '-';
    if (i < text.length && (negative || text[i] == '+')) {
      i++;
    }
    long number = 0;
    try {
      for (; i < text.length && text[i] >= '0' && text[i] <= '9'; i++) {
        int digit = text[i] - '0';
        number = Math.addExact(Math.multiplyExact(number, 10), negative ? -digit : digit);
      }
    } catch (ArithmeticException e) {
      return negative ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return number;
  }

  private Pair pair() {
    byte[] key = line();
    int length = length(line());
    if (length > body.length - at) {
      throw mismatch();
    }
    at += length;
    return new Pair(key, Arrays.copyOfRange(body, at - length, at));
  }

  private byte[] line() {
    int start = at;
    while (at < body.length) {
      if (body[at++] == '\n') {
        return Arrays.copyOfRange(body, start, at - 1);
      }
    }
    throw mismatch();
  }

  private static int length(byte[] digits) {
    int length = 0;
    if (digits.length == 0 || digits.length > 9) { // a body is smaller
      throw mismatch();
    }
    for (byte digit : digits) {
      if (digit < '0' || digit > '9') {
        throw mismatch();
      }
      length = 10 * length + digit - '0';
    }
    return length;
  }

  private static HttpException mismatch() {
    return HttpException.badRequest("the lengths do not fit the body");
  }
}
