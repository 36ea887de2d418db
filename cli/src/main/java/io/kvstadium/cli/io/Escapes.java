package io.kvstadium.cli.io;

import java.util.HexFormat;

/** Text with escapes: words of the shell, and text that must not control a terminal. */
public final class Escapes {
  private Escapes() {}

  /** Returns the text in quotes if it has blanks or control characters. */
  public static String quoted(String text) {
    return text.isEmpty() || text.codePoints().anyMatch(point -> isBlank(point) || isControl(point))
        ? escaped(text)
        : text;
  }

  /** A text in double quotes, without control characters. */
  public static String escaped(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.codePoints()
        .forEach(point -> {
          switch (point) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '"', '\\' -> out.append('\\').appendCodePoint(point);
            default -> {
              if (isControl(point)) {
                out.append("\\u").append(HexFormat.of().toHexDigits((char) point));
              } else {
                out.appendCodePoint(point);
              }
            }
          }
        });
    return out.append('"').toString();
  }

  /** A text for a terminal: what would control it is written as an escape, except line ends. */
  public static String shown(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(point -> {
          if (isControl(point) && point != '\n') {
            out.append("\\u").append(HexFormat.of().toHexDigits((char) point));
          } else {
            out.appendCodePoint(point);
          }
        });
    return out.toString();
  }

  /**
   * Returns whether a character would control a terminal rather than be shown; those that turn the
   * direction of the following text do.
   */
  public static boolean isControl(int point) {
    return Character.isISOControl(point)
        || switch (Character.getDirectionality(point)) {
          case Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING,
              Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
              Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
              Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING,
              Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
              Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE,
              Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
              Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT,
              Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE ->
              true;
          default ->
              Character.getType(point) == Character.LINE_SEPARATOR
                  || Character.getType(point) == Character.PARAGRAPH_SEPARATOR;
        };
  }

  public static boolean isBlank(int point) {
    return point == ' ' || point == '\t' || point == '\n' || point == '\r';
  }
}
