package io.kvstadium.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A file of requests, one per line, in words as {@code redis-cli} takes them. A request may have
 * one of these prefixes:
 *
 * <ul>
 *   <li>{@code 2:} it is sent by another connection
 *   <li>{@code ?} only the kind of the reply is compared, since its content naturally differs
 *   <li>{@code !} it has no reply
 *   <li>{@code <} instead of a request: one more reply or message is read
 *   <li>{@code @} instead of a request: waits until the given number of clients is blocked
 * </ul>
 */
record Script(String file, List<Line> lines) {
  /** One request. */
  record Line(int number, int connection, char mode, List<byte[]> words, String text) {}

  static final char EXACT = ' ';
  static final char KIND = '?';
  static final char SILENT = '!';
  static final char READ = '<';
  static final char BLOCKED = '@';

  /** A file of the test's resources. */
  static Script of(String file) {
    try (InputStream in = Script.class.getResourceAsStream(file)) {
      Objects.requireNonNull(in, file);
      List<Line> lines = new ArrayList<>();
      int number = 0;
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        number++;
        if (!line.isBlank() && !line.startsWith("#")) {
          lines.add(line(number, line));
        }
      }
      return new Script(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Line line(int number, String text) {
    String rest = text.strip();
    int connection = 1;
    if (rest.length() > 1 && rest.charAt(1) == ':') {
      connection = rest.charAt(0) - '0';
      rest = rest.substring(2).strip();
    }
    char mode = rest.charAt(0);
    if (mode == KIND || mode == SILENT || mode == READ || mode == BLOCKED) {
      rest = rest.substring(1).strip();
    } else {
      mode = EXACT;
    }
    return new Line(number, connection, mode, words(rest), text);
  }

  /**
   * Words between spaces; in double quotes with {@code \n}, {@code \r}, {@code \t}, {@code \xff}.
   */
  static List<byte[]> words(String text) {
    byte[] line = text.getBytes(StandardCharsets.UTF_8);
    List<byte[]> words = new ArrayList<>();
    ByteArrayOutputStream word = new ByteArrayOutputStream();
    boolean quoted = false;
    boolean any = false;
    for (int i = 0; i < line.length; i++) {
      char c = (char) (line[i] & 0xff);
      if (c == '"') {
        quoted = !quoted;
        any = true;
      } else if (c == ' ' && !quoted) {
        if (any) {
          words.add(word.toByteArray());
          word.reset();
        }
        any = false;
      } else if (c == '\\' && quoted) {
        i = escaped(line, i + 1, word);
      } else {
        word.write(c);
        any = true;
      }
    }
    if (any) {
      words.add(word.toByteArray());
    }
    return words;
  }

  private static int escaped(byte[] line, int at, ByteArrayOutputStream word) {
    char c = (char) line[at];
    if (c == 'x') {
      String digits = new String(line, at + 1, 2, StandardCharsets.US_ASCII);
      word.write(Integer.parseInt(digits, 16));
      return at + 2;
    }
    word.write(
        switch (c) {
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          default -> c;
        });
    return at;
  }
}
