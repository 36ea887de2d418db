package io.kvstadium.server.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How much of a client's output may wait to be sent, by the class of clients, as Redis'
 * client-output-buffer-limit has it. Who monitors is of the class normal. Safe for all threads.
 */
public final class OutputLimits {
  public static final String PARAMETER = "client-output-buffer-limit";

  /**
   * The limits of a class; 0 is none.
   *
   * @param hard bytes that are never exceeded
   * @param soft bytes that may be exceeded for a while
   * @param seconds how long
   */
  public record Limit(long hard, long soft, long seconds) {
    private static final Limit NONE = new Limit(0, 0, 0);

    public boolean isOver(long bytes) {
      return hard > 0 && bytes >= hard;
    }

    public boolean isOverSoft(long bytes) {
      return soft > 0 && bytes >= soft;
    }

    public long nanos() {
      return TimeUnit.SECONDS.toNanos(seconds);
    }
  }

  private volatile String text;
  private volatile Map<String, Limit> limits;

  /**
   * Limits.
   *
   * @param text the value of the parameter
   */
  OutputLimits(String text) {
    this.text = text;
    this.limits = parsed(text);
  }

  private static Map<String, Limit> parsed(String text) {
    Map<String, Limit> found = new LinkedHashMap<>();
    String[] words = text.split(" ");
    for (int i = 0; i < words.length; i += 4) {
      found.put(
          words[i],
          new Limit(bytes(words[i + 1]), bytes(words[i + 2]), Long.parseLong(words[i + 3])));
    }
    return found;
  }

  private static long bytes(String unsigned) {
    long bytes = Long.parseUnsignedLong(unsigned);
    return bytes < 0 ? Long.MAX_VALUE : bytes;
  }

  public String text() {
    return text;
  }

  /** Sets all of them, from a checked value. */
  public void text(String value) {
    limits = parsed(value);
    text = value;
  }

  public Limit of(boolean subscriber) {
    return limits.getOrDefault(subscriber ? "pubsub" : "normal", Limit.NONE);
  }
}
