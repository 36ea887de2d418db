package io.kvstadium.transfer.format;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code mdb_dump} and {@code db_dump} write, in both of their forms ({@code bytevalue}
 * and, with {@code -p}, {@code print}), with any number of databases one after the other.
 */
public final class MdbDumpReader implements EntryReader {
  private static final String DATA_END = "DATA=END";

  private final CountedInput in;
  private final Set<String> tables = new HashSet<>();
  private long line;
  private String table = Store.DEFAULT_TABLE;
  private boolean printed;
  private boolean inData;

  public MdbDumpReader(InputStream in) {
    this.in = new CountedInput(in);
  }

  @Override
  public Set<String> tables() {
    return tables;
  }

  @Override
  public @Nullable Item next() throws IOException {
    while (true) {
      if (!inData && !header()) {
        return null;
      }
      byte[] key = data();
      if (key != null) {
        byte[] value = data();
        if (value == null) {
          throw wrong("there is a key here without its value");
        }
        return new Item(table, key, value);
      }
      inData = false;
    }
  }

  /** Reads a header; false at the end of the input. */
  private boolean header() throws IOException {
    byte[] first = readLine();
    if (first == null) {
      return false;
    }
    table = Store.DEFAULT_TABLE;
    printed = false;
    String text = text(first);
    if (!text.startsWith("VERSION=")) {
      throw wrong("a dump of mdb_dump begins with VERSION=3");
    }
    while (!text.equals("HEADER=END")) {
      String name = text.substring(0, Math.max(0, text.indexOf('=')));
      String value = text.substring(text.indexOf('=') + 1);
      switch (name) {
        case "VERSION" -> check(value.equals("3"), "version " + value + " is not known: only 3 is");
        case "format" -> {
          check(value.matches("bytevalue|print"), "format " + value + " is not known");
          printed = value.equals("print");
        }
        case "database" -> table = value;
        case "duplicates", "dupsort" ->
            check(!value.equals("1"), "a key may have several values here, and has one in a store");
        case "type" ->
            check(value.matches("btree|hash"), "databases of type " + value + " have no keys");
        case "" -> throw wrong("the header must have NAME=VALUE");
        default -> {} // sizes and flags that do not concern what is in it
      }
      byte[] next = readLine();
      if (next == null) {
        throw wrong("the dump ends within a header");
      }
      text = text(next);
    }
    tables.add(table);
    inData = true;
    return true;
  }

  /** A line of the header: the names of two databases must not become one. */
  private String text(byte[] read) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(read)).toString();
    } catch (CharacterCodingException e) {
      throw wrong("the header is not UTF-8: rename this database, which becomes a table");
    }
  }

  private void check(boolean right, String otherwise) {
    if (!right) {
      throw wrong(otherwise);
    }
  }

  /** The bytes of a line, or {@code null} for the end of the data. */
  private byte @Nullable [] data() throws IOException {
    byte[] read = readLine();
    if (read == null) {
      throw wrong("the dump ends without " + DATA_END);
    }
    if (read.length > 0 && read[0] == ' ') {
      return printed ? printed(read) : hex(read);
    }
    if (new String(read, StandardCharsets.ISO_8859_1).equals(DATA_END)) {
      return null;
    }
    throw wrong("a line of data begins with a space");
  }

  private byte[] hex(byte[] read) {
    if (read.length % 2 == 0) {
      throw wrong("there is half a byte at the end");
    }
    byte[] bytes = new byte[read.length / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ((digit(read[2 * i + 1]) << 4) | digit(read[2 * i + 2]));
    }
    return bytes;
  }

  /** Characters as they are, others as a backslash and two digits, a backslash as two of them. */
  private byte[] printed(byte[] read) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(read.length);
    for (int i = 1; i < read.length; i++) {
      if (read[i] != '\\') {
        bytes.write(read[i]);
      } else if (i + 1 < read.length && read[i + 1] == '\\') {
        bytes.write('\\');
        i++;
      } else if (i + 2 < read.length) {
        bytes.write((digit(read[i + 1]) << 4) | digit(read[i + 2]));
        i += 2;
      } else {
        throw wrong("a backslash must be followed by two digits or another backslash");
      }
    }
    return bytes.toByteArray();
  }

  private int digit(byte character) {
    if (!HexFormat.isHexDigit(character)) {
      throw wrong("'" + (char) character + "' is not a hexadecimal digit");
    }
    return HexFormat.fromHexDigit(character);
  }

  private byte @Nullable [] readLine() throws IOException {
    int next = in.read();
    if (next < 0) {
      return null;
    }
    line++;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (; next >= 0 && next != '\n'; next = in.read()) {
      bytes.write(next);
    }
    return bytes.toByteArray();
  }

  private CorruptException wrong(String what) {
    return new CorruptException("line " + line + ": " + what);
  }
}
