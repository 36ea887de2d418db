package io.kvstadium.server.log;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Logs what happens, a line for each event. Neither values nor passwords are ever part of it. Safe
 * for all threads, if the receiver of the lines is.
 */
public final class Log {
  /** The form of a line. */
  public enum Form {
    /** A sentence after the time. */
    TEXT,
    /** Names and values: {@code time=… event=… message="…"}. */
    PAIRS,
    /** The same as a JSON object. */
    JSON;

    /** Its word in the server's file. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Form form;
  private final InstantSource clock;
  private final Consumer<String> lines;

  /**
   * A log.
   *
   * @param lines receives each line, without its end
   */
  public Log(Form form, InstantSource clock, Consumer<String> lines) {
    this.form = form;
    this.clock = clock;
    this.lines = lines;
  }

  /**
   * Logs an event.
   *
   * @param event its kind, for programs
   * @param message a sentence, for people
   * @param details names and values in turn, for programs
   */
  public void event(String event, String message, Object... details) {
    Map<String, Object> pairs = new LinkedHashMap<>();
    pairs.put("time", clock.instant().truncatedTo(ChronoUnit.MILLIS));
    pairs.put("event", event);
    for (int i = 0; i + 1 < details.length; i += 2) {
      pairs.put(String.valueOf(details[i]), details[i + 1]);
    }
    pairs.put("message", message);
    lines.accept(
        switch (form) {
          case TEXT -> pairs.get("time") + " " + oneLine(message);
          case PAIRS -> pairs(pairs);
          case JSON -> json(pairs);
        });
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ");
  }

  private static String pairs(Map<String, Object> pairs) {
    StringBuilder line = new StringBuilder();
    pairs.forEach((name, value) -> {
      String text = String.valueOf(value);
      boolean plain = text.matches("[\\w.:/+-]+");
      line.append(line.isEmpty() ? "" : " ").append(name).append('=');
      line.append(plain ? text : quoted(text));
    });
    return line.toString();
  }

  private static String json(Map<String, Object> pairs) {
    StringBuilder line = new StringBuilder("{");
    pairs.forEach((name, value) -> {
      line.append(line.length() == 1 ? "" : ",").append(quoted(name)).append(':');
      line.append(value instanceof Number ? value.toString() : quoted(String.valueOf(value)));
    });
    return line.append('}').toString();
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' || each == '\\') {
        quoted.append('\\').append(each);
      } else if (each < ' ' || each == 0x7f) {
        quoted.append("\\u%04x".formatted((int) each));
      } else {
        quoted.append(each);
      }
    }
    return quoted.append('"').toString();
  }
}
