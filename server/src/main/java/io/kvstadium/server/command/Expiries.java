package io.kvstadium.server.command;

import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import java.util.Set;

/** Expiry times as given in requests. */
public final class Expiries {
  /** The options that precede a time. */
  public static final Set<String> OPTIONS = Set.of("ex", "px", "exat", "pxat");

  /** The words that say which expiry may be replaced. */
  public static final Set<String> CONDITIONS = Set.of("nx", "xx", "gt", "lt");

  private Expiries() {}

  /**
   * The time that an option such as {@code EX 10} means.
   *
   * @param option {@code ex}, {@code px}, {@code exat} or {@code pxat}
   * @return Unix time in milliseconds
   */
  public static long of(Call call, String option, byte[] value) {
    long number = Numbers.integer(value);
    if (number <= 0) {
      throw invalid(call);
    }
    return switch (option) {
      case "ex" -> at(call, number, 1_000, call.now());
      case "px" -> at(call, number, 1, call.now());
      case "exat" -> at(call, number, 1_000, 0);
      case "pxat" -> at(call, number, 1, 0);
      default -> throw ReplyException.syntax();
    };
  }

  /** The time a number of units after another; the past is allowed. */
  public static long at(Call call, long number, int unit, long base) {
    try {
      long when = Math.addExact(Math.multiplyExact(number, unit), base);
      return Math.min(when, StoredValue.FOREVER - 1);
    } catch (ArithmeticException e) {
      throw invalid(call);
    }
  }

  /** The error of a time that cannot be. */
  public static ReplyException invalid(Call call) {
    return ReplyException.error("invalid expire time in '%s' command", call.command().name());
  }

  /** Whether conditions allow to replace an expiry. */
  public static boolean allows(Set<String> conditions, long now, long wanted) {
    boolean expires = now != StoredValue.FOREVER;
    return conditions.stream()
        .allMatch(each ->
            switch (each) {
              case "nx" -> !expires;
              case "xx" -> expires;
              case "gt" -> expires && wanted > now;
              default -> wanted < now;
            });
  }
}
