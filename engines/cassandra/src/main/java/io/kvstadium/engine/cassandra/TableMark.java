package io.kvstadium.engine.cassandra;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What makes a CQL table a table of a store. It is in the CQL table's comment, so that it is there
 * as soon as the table, and for all clients.
 *
 * @param table the store's name for it
 * @param partitions how many its entries are spread over, for good
 * @param ofKeyspace whether its keyspace was made for the store, too
 */
record TableMark(String table, int partitions, boolean ofKeyspace) {
  private static final Pattern FORM =
      Pattern.compile("kv-stadium partitions=(\\d{1,4}) keyspace=(made|found) table=(\\S+)");

  /** CQL allows 48. */
  private static final int LONGEST = 46;

  private static final int HASH_BYTES = 16;

  static @Nullable TableMark of(@Nullable String comment) {
    Matcher form = FORM.matcher(comment == null ? "" : comment);
    return form.matches()
        ? new TableMark(
            form.group(3), Integer.parseInt(form.group(1)), form.group(2).equals("made"))
        : null;
  }

  String comment() {
    return "kv-stadium partitions=%d keyspace=%s table=%s"
        .formatted(partitions, ofKeyspace ? "made" : "found", table);
  }

  /**
   * The CQL table's name: {@code t_} and the name. All but lower-case letters and digits become
   * {@code _} and two hexadecimal digits, since CQL tables are directories, whose names may not be
   * case-sensitive. Names too long for that become {@code h_}, their hash and their beginning.
   */
  String cqlName() {
    StringBuilder escaped = new StringBuilder();
    for (byte each : table.getBytes(StandardCharsets.UTF_8)) {
      if ((each >= 'a' && each <= 'z') || (each >= '0' && each <= '9')) {
        escaped.append((char) each);
      } else {
        escaped.append('_').append(HexFormat.of().toHexDigits(each));
      }
    }
    if (escaped.length() <= LONGEST) {
      return "t_" + escaped;
    }
    String hash = HexFormat.of().formatHex(sha256(table), 0, HASH_BYTES);
    return "h_" + hash + "_" + escaped.substring(0, LONGEST - hash.length() - 1);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
