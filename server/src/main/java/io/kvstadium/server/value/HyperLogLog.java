package io.kvstadium.server.value;

import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.ReplyException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Estimates how many different elements it was given, in a string of Redis' format: a head of 16
 * bytes, then 16,384 registers, either of six bits each, or as runs of equal ones while few are
 * set. The estimate is Ertl's (arXiv:1702.01284), as in Redis.
 */
public final class HyperLogLog {
  private static final int REGISTERS = 1 << 14;
  private static final int BITS = 6;
  private static final int RANKS = 64 - 14;
  private static final int HEAD = 16;
  private static final int DENSE = 0;
  private static final int SPARSE = 1;
  private static final int DENSE_BYTES = HEAD + REGISTERS * BITS / 8;

  /** Longer strings of runs are made dense. */
  private static final int MAX_SPARSE = 3_000;

  private static final int MAX_IN_RUNS = 32;
  private static final byte[] MAGIC = "HYLL".getBytes(StandardCharsets.US_ASCII);

  /** The cached estimate of the head is out of date: the upper bit of its last byte. */
  private static final int STALE = 0x80;

  private final byte[] registers = new byte[REGISTERS];
  private boolean dense;

  /** Reads a key's string; an empty one if there is no string. */
  public static HyperLogLog of(@Nullable StoredValue storedValue) {
    HyperLogLog log = new HyperLogLog();
    if (storedValue != null) {
      log.read(storedValue.value());
    }
    return log;
  }

  private void read(byte[] bytes) {
    boolean ours =
        bytes.length >= HEAD
            && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
            && (bytes[4] == SPARSE || (bytes[4] == DENSE && bytes.length == DENSE_BYTES));
    if (!ours) {
      throw new ReplyException("WRONGTYPE Key is not a valid HyperLogLog string value.");
    }
    dense = bytes[4] == DENSE;
    if (dense) {
      readDense(bytes);
    } else {
      readRuns(bytes);
    }
  }

  private void readDense(byte[] bytes) {
    for (int i = 0; i < REGISTERS; i++) {
      int at = HEAD + i * BITS / 8;
      int next = at + 1 < bytes.length ? bytes[at + 1] & 0xff : 0;
      registers[i] = (byte) ((((bytes[at] & 0xff) | next << 8) >> (i * BITS % 8)) & 63);
    }
  }

  private void readRuns(byte[] bytes) {
    int register = 0;
    for (int at = HEAD; at < bytes.length; at++) {
      int code = bytes[at] & 0xff;
      int length;
      int value = 0;
      if (code < 0x40) {
        length = code + 1;
      } else if (code < 0x80) {
        if (++at == bytes.length) {
          throw damaged();
        }
        length = ((code & 0x3f) << 8 | (bytes[at] & 0xff)) + 1;
      } else {
        length = (code & 3) + 1;
        value = ((code >> 2) & 31) + 1;
      }
      if (register + length > REGISTERS) {
        throw damaged();
      }
      Arrays.fill(registers, register, register + length, (byte) value);
      register += length;
    }
    if (register != REGISTERS) {
      throw damaged();
    }
  }

  private static ReplyException damaged() {
    return new ReplyException("INVALIDOBJ Corrupted HLL object detected");
  }

  /** Adds an element; returns whether that changes anything. */
  public boolean add(byte[] element) {
    long hash = murmur(element);
    int register = (int) hash & (REGISTERS - 1);
    int rank = Long.numberOfTrailingZeros((hash >>> 14) | (1L << RANKS)) + 1;
    if (rank <= registers[register]) {
      return false;
    }
    registers[register] = (byte) rank;
    return true;
  }

  /** Adds everything that another one was given. */
  public void merge(HyperLogLog other) {
    dense |= other.dense;
    for (int i = 0; i < REGISTERS; i++) {
      registers[i] = (byte) Math.max(registers[i], other.registers[i]);
    }
  }

  /** The estimated number of different elements. */
  public long count() {
    int[] ranks = new int[RANKS + 2];
    for (byte rank : registers) {
      ranks[Math.min(rank, RANKS + 1)]++;
    }
    double all = REGISTERS;
    double z = all * tau((all - ranks[RANKS + 1]) / all);
    for (int i = RANKS; i >= 1; i--) {
      z = (z + ranks[i]) * 0.5;
    }
    z += all * sigma(ranks[0] / all);
    return Math.round(0.7213475204444817 * all * all / z);
  }

  private static double sigma(double share) {
    if (share == 1) {
      return Double.POSITIVE_INFINITY;
    }
    double x = share;
    double y = 1;
    double z = x;
    for (double before = -1; z != before; ) {
      x *= x;
      before = z;
      z += x * y;
      y += y;
    }
    return z;
  }

  private static double tau(double share) {
    if (share == 0 || share == 1) {
      return 0;
    }
    double x = share;
    double y = 1;
    double z = 1 - x;
    for (double before = -1; z != before; ) {
      x = Math.sqrt(x);
      before = z;
      y *= 0.5;
      z -= (1 - x) * (1 - x) * y;
    }
    return z / 3;
  }

  /** The string. */
  public byte[] bytes() {
    byte[] runs = dense ? null : runs();
    byte[] bytes = runs == null ? denseBytes() : runs;
    System.arraycopy(MAGIC, 0, bytes, 0, MAGIC.length);
    bytes[4] = (byte) (runs == null ? DENSE : SPARSE);
    bytes[HEAD - 1] = (byte) STALE;
    return bytes;
  }

  private byte[] denseBytes() {
    byte[] bytes = new byte[DENSE_BYTES];
    for (int i = 0; i < REGISTERS; i++) {
      int at = HEAD + i * BITS / 8;
      int shifted = registers[i] << (i * BITS % 8);
      bytes[at] |= (byte) shifted;
      if (at + 1 < bytes.length) {
        bytes[at + 1] |= (byte) (shifted >> 8);
      }
    }
    return bytes;
  }

  /** The form with runs; {@code null} if it would be too long, or a register is too high. */
  private byte @Nullable [] runs() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[HEAD]);
    int end;
    for (int i = 0; i < REGISTERS; i = end) {
      int value = registers[i];
      end = i + 1;
      while (end < REGISTERS && registers[end] == value) {
        end++;
      }
      if (value > MAX_IN_RUNS) {
        return null;
      }
      write(out, value, end - i);
    }
    return out.size() > HEAD + MAX_SPARSE ? null : out.toByteArray();
  }

  private static void write(ByteArrayOutputStream out, int value, int length) {
    if (value == 0 && length > 64) {
      out.write(0x40 | ((length - 1) >> 8));
      out.write(length - 1);
    } else if (value == 0) {
      out.write(length - 1);
    } else {
      for (int left = length; left > 0; left -= 4) {
        out.write(0x80 | ((value - 1) << 2) | (Math.min(left, 4) - 1));
      }
    }
  }

  /** MurmurHash2 of 64 bits, with Redis' seed. */
  private static long murmur(byte[] key) {
    long m = 0xc6a4a7935bd1e995L;
    long hash = 0xadc83b19L ^ (key.length * m);
    int whole = key.length & ~7;
    for (int i = 0; i < whole; i += 8) {
      long k = littleEndian(key, i, 8) * m;
      k = (k ^ (k >>> 47)) * m;
      hash = (hash ^ k) * m;
    }
    if (whole < key.length) {
      hash = (hash ^ littleEndian(key, whole, key.length - whole)) * m;
    }
    hash = (hash ^ (hash >>> 47)) * m;
    return hash ^ (hash >>> 47);
  }

  private static long littleEndian(byte[] bytes, int from, int length) {
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value = value << 8 | (bytes[from + i] & 0xff);
    }
    return value;
  }
}
