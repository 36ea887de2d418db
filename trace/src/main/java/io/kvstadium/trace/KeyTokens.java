package io.kvstadium.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Replaces keys by tokens of the same order: two bytes for each byte of the key.
 *
 * <p>The keys are the paths of a tree. At each of its nodes, that is, for each table and prefix, a
 * function of its own maps the next byte to two bytes and keeps the order: it halves the range of
 * bytes again and again, and cuts the range of codes at a place drawn by a pseudorandom function
 * (SipHash-2-4, Aumasson and Bernstein 2012) of the secret, the prefix and the half. So a token
 * says which keys are equal, their order, length and common prefixes, and no byte's value; but
 * where all ten digits follow a prefix, their order alone tells who knows that which is which. See
 * {@code docs/internals/trace-format.md}.
 */
public final class KeyTokens {
  private static final int CODES = 1 << 16;
  private static final int BYTES = 1 << 8;
  private static final int CACHE = 1 << 14;

  private final long k0;
  private final long k1;

  /** The tokens of keys seen lately: of a table and a key. */
  private final Map<Cached, byte[]> cache =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Cached, byte[]> eldest) {
          return size() > CACHE;
        }
      };

  private record Cached(String table, KeyBytes key) {}

  /** Tokens of a secret; who has it can compute the token of a key. */
  public KeyTokens(String secret) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
      ByteBuffer words = ByteBuffer.wrap(digest);
      k0 = words.getLong();
      k1 = words.getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** The length of a key's token. */
  int length(byte[] key) {
    return 2 * key.length;
  }

  /** The token of a key. */
  public byte[] token(String table, byte[] key) {
    return cache.computeIfAbsent(new Cached(table, new KeyBytes(key)), _ -> compute(table, key));
  }

  private byte[] compute(String table, byte[] key) {
    long node = 0;
    for (byte each : table.getBytes(StandardCharsets.UTF_8)) {
      node = hash(node, each & 0xff);
    }
    node = hash(node, BYTES); // no byte: the name ends
    ByteBuffer token = ByteBuffer.allocate(length(key));
    for (byte each : key) {
      int value = each & 0xff;
      token.putShort((short) code(node, value));
      node = hash(node, value);
    }
    return token.array();
  }

  /** The code of the next byte at a node: see the class. */
  private int code(long node, int value) {
    int low = 0;
    int high = CODES; // the codes left for the bytes from first to last
    int first = 0;
    int last = BYTES;
    while (last - first > 1) {
      int half = (last - first) / 2;
      int middle = first + half;
      // both halves keep at least one code for each of their bytes
      int slack = high - low - (last - first);
      long drawn = hash(node, (1L << 32) + ((long) first << 16) + last);
      int cut = low + half + (int) Math.unsignedMultiplyHigh(drawn, slack + 1L);
      if (value < middle) {
        last = middle;
        high = cut;
      } else {
        first = middle;
        low = cut;
      }
    }
    return low + (int) Math.unsignedMultiplyHigh(hash(node, (2L << 32) + first), high - low);
  }

  /** SipHash-2-4 of two words. */
  private long hash(long first, long second) {
    long v0 = k0 ^ 0x736f6d6570736575L;
    long v1 = k1 ^ 0x646f72616e646f6dL;
    long v2 = k0 ^ 0x6c7967656e657261L;
    long v3 = k1 ^ 0x7465646279746573L;
    for (int i = 0; i < 4; i++) {
      long word =
          switch (i) {
            case 0 -> first;
            case 1 -> second;
            case 2 -> 16L << 56; // the length of the input
            default -> 0xff;
          };
      if (i < 3) {
        v3 ^= word;
      } else {
        v2 ^= word;
      }
      for (int round = 0; round < (i < 3 ? 2 : 4); round++) {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
      }
      if (i < 3) {
        v0 ^= word;
      }
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }
}
