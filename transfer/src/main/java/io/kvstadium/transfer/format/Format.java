package io.kvstadium.transfer.format;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The formats that a store can have outside of an engine. */
public enum Format {
  /** KV Stadium's own: compressed blocks with checksums, and a trailer. */
  DUMP("dump", true, "kvdump"),
  /** A JSON object in each line, with {@code table}, {@code key} and {@code value}. */
  JSON_LINES("jsonl", true, "jsonl|ndjson|json"),
  /**
   * Values separated by commas as in RFC 4180, with a header; read also with semicolons or tabs.
   */
  CSV("csv", true, "csv|tsv"),
  /** The text of LMDB's {@code mdb_dump} and Berkeley DB's {@code db_dump}. */
  MDB_DUMP("mdb", true, "mdb|mdbdump"),
  /** A snapshot file of Redis: not of entries, but of keys for a server. */
  RDB("rdb", false, "rdb");

  private final String word;
  private final boolean written;
  private final String endings;

  Format(String word, boolean written, String endings) {
    this.word = word;
    this.written = written;
    this.endings = endings;
  }

  /** Its word on the command line: {@code dump}, {@code jsonl}, {@code csv}, … */
  public String word() {
    return word;
  }

  /** Whether stores can also be exported in it. */
  public boolean isWritten() {
    return written;
  }

  /** The format that a word names. */
  public static Format of(String word) {
    List<String> words = Arrays.stream(values()).map(Format::word).toList();
    return Arrays.stream(values())
        .filter(format -> format.word.equals(word))
        .findFirst()
        .orElseThrow(() ->
            new BadArgumentException(
                "unknown format '"
                    + word
                    + "'"
                    + Nearest.hint(word, words)
                    + "; there are: "
                    + String.join(", ", words)));
  }

  /**
   * The format that a file name's ending stands for, or {@code null}; behind it there may be that
   * of a compressed file.
   */
  public static @Nullable Format ofFile(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst)$", "");
    String ending = plain.substring(plain.lastIndexOf('.') + 1);
    return Arrays.stream(values())
        .filter(format -> ending.matches(format.endings))
        .findFirst()
        .orElse(null);
  }

  /** The endings of all formats, for messages. */
  public static String endings() {
    return Arrays.stream(values())
        .map(format -> "." + format.endings.replace("|", " ."))
        .collect(Collectors.joining(" "));
  }
}
