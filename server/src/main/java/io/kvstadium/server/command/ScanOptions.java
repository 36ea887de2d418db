package io.kvstadium.server.command;

import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.ReplyException;
import org.jspecify.annotations.Nullable;

/**
 * The options of a command of the SCAN family.
 *
 * @param pattern of names
 * @param count how many to visit
 * @param kind the word of TYPE for what keys hold, {@code null} for all
 * @param values whether values are wanted too
 */
public record ScanOptions(Glob pattern, int count, @Nullable String kind, boolean values) {
  private static final int MAX = 100_000;

  /**
   * Reads the options.
   *
   * @param from where they begin
   * @param keys whether it iterates over keys, which have a TYPE
   */
  public static ScanOptions of(Call call, int from, boolean keys) {
    Glob pattern = new Glob(new byte[] {'*'});
    int count = 10;
    String kind = null;
    boolean values = true;
    int i = from;
    while (i < call.size()) {
      String option = call.lowerCase(i++);
      if (option.equals("novalues") && !keys) {
        values = false;
        continue;
      }
      if (i >= call.size()) {
        throw ReplyException.syntax();
      }
      switch (option) {
        case "match" -> pattern = new Glob(call.arg(i++));
        case "count" -> {
          long given = call.integer(i++);
          if (given < 1) {
            throw ReplyException.syntax();
          }
          count = (int) Math.min(given, MAX);
        }
        case "type" -> {
          if (!keys) {
            throw ReplyException.syntax();
          }
          kind = call.lowerCase(i++);
        }
        default -> throw ReplyException.syntax();
      }
    }
    return new ScanOptions(pattern, count, kind, values);
  }
}
