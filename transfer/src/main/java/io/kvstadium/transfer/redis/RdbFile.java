package io.kvstadium.transfer.redis;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.StoreIoException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The keys in a file that Redis wrote, of versions 1 to 12. Its checksum is verified. */
public final class RdbFile extends KeySource {
  /** From this version on the file ends in a checksum. */
  private static final int WITH_CHECKSUM = 5;

  private static final int HEAD = 9;

  private final String name;
  private final InputStream stream;
  private final RdbInput in;
  private final RdbReader values;
  private final long now;
  private int version;
  private int database;
  private boolean ended;

  /**
   * A file.
   *
   * @param name for messages
   * @param now keys that expired before are left out; milliseconds since 1970
   */
  public RdbFile(String name, InputStream stream, long now) {
    this.name = name;
    this.stream = stream;
    this.in = new RdbInput(stream);
    this.values = new RdbReader(in);
    this.now = now;
  }

  @Override
  public @Nullable Item next() {
    long start = in.offset();
    try {
      if (version == 0) {
        version = version();
      }
      long expiry = FOREVER;
      while (!ended) {
        start = expiry == FOREVER ? in.offset() : start;
        int type = in.octet();
        switch (type) {
          case 0xfd -> expiry = (in.small() & 0xffffffffL) * 1_000;
          case 0xfc -> expiry = in.fixed();
          case 0xf9 -> in.octet(); // how often it is used
          case 0xf8 -> in.unsigned(); // how long it has been idle
          case 0xfe -> database = in.length();
          case 0xfb -> numbers(2); // sizes
          case 0xf4 -> numbers(3); // sizes of a slot
          case 0xfa -> { // about the server
            in.string();
            in.string();
          }
          case 0xf5 -> {
            in.string();
            leave("libraries of functions");
          }
          case 0xf7 -> { // of a module
            in.unsigned();
            RdbReader.skipModule(in);
          }
          case 0xff -> end();
          default -> {
            Item item = item(in.string(), type, expiry);
            if (item != null) {
              return item;
            }
            expiry = FOREVER;
          }
        }
      }
      return null;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof EOFException) {
        throw damaged("it ends at byte " + in.offset(), start);
      }
      throw new StoreIoException(
          "%s cannot be read at byte %d: %s".formatted(name, in.offset(), e.getCause()), e);
    } catch (RdbException e) {
      throw damaged("no value of Redis, at byte " + in.offset(), start);
    }
  }

  private CorruptException damaged(String what, long start) {
    return new CorruptException(
        "%s is damaged in what begins at byte %d: %s".formatted(name, start, what));
  }

  private int version() {
    String head;
    try {
      head = new String(in.bytes(HEAD), StandardCharsets.ISO_8859_1);
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof EOFException)) {
        throw e;
      }
      head = "";
    }
    if (!head.matches("REDIS\\d{4}")) {
      throw new CorruptException(
          name + " is not a file of Redis, which begins with REDIS and four digits");
    }
    int number = Integer.parseInt(head.substring(5));
    if (number < 1 || number > Rdb.HIGHEST) {
      throw new CorruptException(
          "%s has version %d of Redis' format, and this program reads 1 to %d"
              .formatted(name, number, Rdb.HIGHEST));
    }
    return number;
  }

  private @Nullable Item item(byte[] key, int type, long expiry) {
    Content content;
    try {
      content = values.value(type);
    } catch (RdbReader.LeftOut e) {
      leave(e.what());
      return null;
    }
    if (expiry <= now) {
      leave("expired keys");
      return null;
    }
    return new Item(database, key, expiry, content);
  }

  private void end() {
    ended = true;
    long read = in.checksum();
    long written = version < WITH_CHECKSUM ? 0 : in.fixed();
    if (written != 0 && written != read) { // 0: the server was configured to write none
      throw new CorruptException(
          "%s is damaged: its checksum is %016x, and that of its bytes %016x"
              .formatted(name, written, read));
    }
    if (!in.isAtEnd()) {
      throw new CorruptException(
          "%s is damaged: something follows its end, at byte %d".formatted(name, in.offset()));
    }
  }

  private void numbers(int count) {
    for (int i = 0; i < count; i++) {
      in.unsigned();
    }
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      throw new StoreIoException(name + ": " + e.getMessage(), e);
    }
  }
}
