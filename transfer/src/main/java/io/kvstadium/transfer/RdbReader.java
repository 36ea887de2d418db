package io.kvstadium.transfer;

import io.kvstadium.store.CorruptException;
import io.kvstadium.transfer.source.Item;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the strings of Redis' RDB files, versions 1 to 12, and counts and skips everything else.
 * Database N is the table {@code dbN}.
 *
 * <p>Existing readers are made for following a server's replication: they do not check the file's
 * checksum, and do not report where a file is damaged.
 */
final class RdbReader implements EntryReader {
  private static final int NEWEST = 12;

  /** From this version on the file ends in a checksum. */
  private static final int WITH_CHECKSUM = 5;

  /** The form of {@link io.kvstadium.store.ExpiringTable}: EE and 56 bits of milliseconds. */
  private static final long EXPIRING = 0xEEL << 56;

  private static final long NEVER = (1L << 56) - 1;
  private static final long FOREVER = Long.MAX_VALUE;
  private static final int MILLIS = 1_000;

  private static final int STRING = 0;
  private static final int END = 0xff;

  private final RdbInput in;
  private final boolean expiring;
  private final long now;
  private final int version;
  private final Map<String, Long> leftOut = new TreeMap<>();
  private final Set<String> tables = new HashSet<>();
  private String table = "db0";
  private long plain;
  private boolean ended;

  /**
   * @param expiring whether values take the form of an ExpiringTable; otherwise they are as written
   *     in the file, and never expire
   * @param now keys that expired before are left out; milliseconds since 1970
   */
  RdbReader(InputStream in, boolean expiring, long now) throws IOException {
    this.in = new RdbInput(in);
    this.expiring = expiring;
    this.now = now;
    this.version = version();
  }

  private int version() throws IOException {
    String head;
    try {
      head = new String(in.bytes(9), StandardCharsets.ISO_8859_1);
    } catch (EOFException e) {
      head = "";
    }
    if (!head.matches("REDIS\\d{4}")) {
      throw new CorruptException(
          "this is not an RDB file, which begins with REDIS and four digits");
    }
    int number = Integer.parseInt(head.substring(5));
    if (number > NEWEST) {
      throw new CorruptException(
          "this RDB file has version " + number + ", and this program reads up to " + NEWEST);
    }
    return number;
  }

  @Override
  public @Nullable Item next() throws IOException {
    long start = in.offset();
    try {
      long due = FOREVER;
      while (!ended) {
        start = due == FOREVER ? in.offset() : start;
        int type = in.readByte();
        switch (type) {
          case 0xfd -> due = in.littleEndian(Integer.BYTES) * MILLIS;
          case 0xfc -> due = in.littleEndian(Long.BYTES);
          case 0xf9 -> in.readByte(); // how often it is used
          case 0xf8 -> in.length(); // how long it has been idle
          case 0xfe -> {
            table = "db" + in.length();
            tables.add(table);
          }
          case 0xfb -> skipLengths(2); // sizes
          case 0xf4 -> skipLengths(3); // sizes of a slot
          case 0xfa -> skipStrings(2); // about the server
          case 0xf5 -> {
            in.string();
            count("functions");
          }
          case 0xf7 -> {
            in.length();
            RdbValues.skipModule(in);
          }
          case END -> end();
          default -> {
            byte[] key = in.string();
            if (type == STRING) {
              Item item = string(key, in.string(), due);
              if (item != null) {
                return item;
              }
            } else {
              count(RdbValues.skip(in, type));
            }
            due = FOREVER;
          }
        }
      }
      return null;
    } catch (EOFException e) {
      throw damaged("the file ends within it, at byte " + in.offset(), start);
    } catch (CorruptException e) {
      throw damaged(e.getMessage() + " (byte " + in.offset() + ")", start);
    }
  }

  private @Nullable Item string(byte[] key, byte[] value, long due) {
    if (due <= now && due != FOREVER) {
      count("expired strings");
      return null;
    }
    if (!expiring) {
      plain += due == FOREVER ? 0 : 1;
      return new Item(table, key, value);
    }
    byte[] withTime =
        ByteBuffer.allocate(Long.BYTES + value.length)
            .putLong(EXPIRING | Math.min(due, NEVER))
            .put(value)
            .array();
    return new Item(table, key, withTime);
  }

  private void end() throws IOException {
    ended = true;
    long read = in.crc();
    long written = version < WITH_CHECKSUM ? 0 : in.littleEndian(Long.BYTES);
    if (written != 0 && written != read) { // 0: the server was configured to write none
      throw new CorruptException(
          String.format("the file has the checksum %016x, and its bytes %016x", written, read));
    }
    if (!in.isAtEnd()) {
      throw new CorruptException("something follows the end of the file");
    }
  }

  private void skipLengths(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      in.length();
    }
  }

  private void skipStrings(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      in.string();
    }
  }

  private void count(String what) {
    leftOut.merge(what, 1L, Long::sum);
  }

  @Override
  public Set<String> tables() {
    return tables;
  }

  @Override
  public List<String> leftOut() {
    Map<String, Long> all = new TreeMap<>(leftOut);
    if (plain > 0) {
      all.put("times at which strings expire", plain);
    }
    return all.entrySet().stream().map(each -> each.getValue() + " " + each.getKey()).toList();
  }

  private static CorruptException damaged(String what, long start) {
    return new CorruptException("damaged RDB file: in what begins at byte " + start + ": " + what);
  }
}
