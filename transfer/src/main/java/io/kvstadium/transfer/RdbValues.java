package io.kvstadium.transfer;

import io.kvstadium.store.CorruptException;
import java.io.IOException;

/** Skips the values in RDB files that are not strings. */
final class RdbValues {
  private static final int MODULE_END = 0;
  private static final int NAN = 253;

  private RdbValues() {}

  /**
   * Skips a value.
   *
   * @return what it was, in the plural
   */
  static String skip(RdbInput in, int type) throws IOException {
    return switch (type) {
      case 1 -> strings(in, 1, "lists");
      case 2 -> strings(in, 1, "sets");
      case 3 -> sortedSet(in, false);
      case 4 -> strings(in, 2, "hashes");
      case 5 -> sortedSet(in, true);
      case 7 -> {
        in.length();
        skipModule(in);
        yield "values of modules";
      }
      case 9, 13, 16 -> packed(in, "hashes");
      case 10 -> packed(in, "lists");
      case 11, 20 -> packed(in, "sets");
      case 12, 17 -> packed(in, "sorted sets");
      case 14 -> strings(in, 1, "lists");
      case 18 -> {
        for (long nodes = in.length(); nodes > 0; nodes--) {
          in.length(); // a large element, or several
          in.string();
        }
        yield "lists";
      }
      case 15, 19, 21 -> stream(in, type);
      case 24 -> { // fields of a hash that expire
        in.littleEndian(Long.BYTES);
        for (long fields = in.length(); fields > 0; fields--) {
          in.length();
          in.string();
          in.string();
        }
        yield "hashes";
      }
      case 25 -> {
        in.littleEndian(Long.BYTES);
        yield packed(in, "hashes");
      }
      default ->
          throw new CorruptException("a value has type " + type + ", which is not known here");
    };
  }

  private static String packed(RdbInput in, String what) throws IOException {
    in.string();
    return what;
  }

  private static String strings(RdbInput in, int each, String what) throws IOException {
    for (long count = in.length(); count > 0; count--) {
      for (int i = 0; i < each; i++) {
        in.string();
      }
    }
    return what;
  }

  private static String sortedSet(RdbInput in, boolean binary) throws IOException {
    for (long count = in.length(); count > 0; count--) {
      in.string();
      if (binary) {
        in.bytes(Double.BYTES);
      } else {
        int digits = in.readByte();
        if (digits < NAN) { // the others stand for NaN and the two infinities
          in.bytes(digits);
        }
      }
    }
    return "sorted sets";
  }

  private static String stream(RdbInput in, int type) throws IOException {
    for (long nodes = in.length(); nodes > 0; nodes--) {
      in.string(); // its first id
      in.string(); // its entries
    }
    lengths(in, 3); // how many entries, and the last id
    if (type >= 19) {
      lengths(in, 5); // the first id, the greatest deleted one, how many were added
    }
    for (long groups = in.length(); groups > 0; groups--) {
      in.string();
      lengths(in, type >= 19 ? 3 : 2);
      for (long pending = in.length(); pending > 0; pending--) {
        in.bytes(16 + Long.BYTES); // id and time
        in.length();
      }
      for (long consumers = in.length(); consumers > 0; consumers--) {
        in.string();
        in.bytes(type >= 21 ? 2 * Long.BYTES : Long.BYTES); // when it was seen and active
        for (long pending = in.length(); pending > 0; pending--) {
          in.bytes(16);
        }
      }
    }
    return "streams";
  }

  private static void lengths(RdbInput in, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      in.length();
    }
  }

  /** Skips what a module wrote; each part states its kind. */
  static void skipModule(RdbInput in) throws IOException {
    for (long kind = in.length(); kind != MODULE_END; kind = in.length()) {
      switch ((int) kind) {
        case 1, 2 -> in.length();
        case 3 -> in.bytes(Float.BYTES);
        case 4 -> in.bytes(Double.BYTES);
        case 5 -> in.string();
        default -> throw new CorruptException("a module wrote a part of kind " + kind);
      }
    }
  }
}
