package io.kvstadium.store.engine.declare;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An option that an engine understands, as written in URLs.
 *
 * @param name in lower case with underscores
 * @param type the form of its values
 * @param scope what it applies to
 * @param fallback the value used if it is not given, in the same form; empty for "the engine's own
 *     default"
 * @param choices the values that {@link Type#CHOICE} allows; otherwise empty
 * @param range what a number, size or duration must be in, so that none reaches native code which
 *     that does not expect; {@code null} for other types
 * @param description one line for the list of options
 * @param tuning which other values are worth trying, or {@code null} if it is not for speed
 * @param budget for a size that is divided over other options; otherwise {@code null}
 */
public record OptionSpec(
    String name,
    Type type,
    Scope scope,
    String fallback,
    List<String> choices,
    @Nullable Bounds range,
    String description,
    @Nullable Tuning tuning,
    @Nullable Budget budget) {

  /**
   * The least and the greatest value, both allowed, in the form of the option's type.
   *
   * @param min such as {@code 1}, {@code 4k} or {@code 1ms}
   * @param max such as {@code 100}, {@code 2g} or {@code 1h}
   */
  public record Bounds(String min, String max) {}

  /**
   * What {@code stadium advise} tries instead of the default. Nothing that changes what a store
   * promises belongs here.
   *
   * @param usual of an amount that has to grow with the data, such as a cache: what the engine
   *     takes if it is not given, so that an experiment with less data can take as much less;
   *     otherwise empty
   * @param onHeap whether that amount is part of the JVM's heap
   * @param alternatives values of the option; {@code data/4} is a quarter of the size of all
   *     entries
   */
  public record Tuning(String usual, boolean onHeap, List<String> alternatives) {
    public Tuning {
      alternatives = List.copyOf(alternatives);
    }
  }

  /**
   * How a budget of memory is divided over options, which then need not be given.
   *
   * @param base the part that the engine takes whatever is given
   * @param parts by option: its value, or its share of what is above the base, such as {@code 50%}
   */
  public record Budget(String base, Map<String, String> parts) {
    public Budget {
      parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
    }

    /** The options with their values for a budget. */
    Map<String, String> divide(long bytes) {
      long rest = Math.max(0, bytes - Options.parseSize(base));
      Map<String, String> values = new LinkedHashMap<>(parts);
      values.replaceAll((_, part) ->
          isShare(part)
              ? Long.toString(rest / 100 * Long.parseLong(part.substring(0, part.length() - 1)))
              : part);
      return values;
    }

    static boolean isShare(String part) {
      return part.endsWith("%");
    }

    /** The division in words; empty if there is none. */
    String words() {
      return parts.entrySet().stream()
          .map(part ->
              isShare(part.getValue())
                  ? part.getKey() + " to " + part.getValue() + " of what is above " + base
                  : part.getKey() + "=" + part.getValue())
          .collect(Collectors.joining(", ", parts.isEmpty() ? "" : "; sets ", ""));
    }
  }

  /** The form of a value. */
  public enum Type {
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** A whole number. */
    INTEGER,
    /** A decimal number. */
    DECIMAL,
    /** A number of bytes, with an optional suffix k, m, g or t for powers of 1,024. */
    SIZE,
    /** A number with one of the suffixes ns, us, ms, s, m, h. */
    DURATION,
    /** One of the listed words. */
    CHOICE,
    /** Any text. */
    TEXT;

    boolean isNumber() {
      return switch (this) {
        case INTEGER, DECIMAL, SIZE, DURATION -> true;
        case BOOLEAN, CHOICE, TEXT -> false;
      };
    }
  }

  /** Whether an option applies to the whole store or to each table. */
  public enum Scope {
    STORE,
    /**
     * Given as {@code name=…} it applies to every table, as {@code table.users.name=…} to one. The
     * engine gets it by {@link io.kvstadium.store.engine.EngineStore#openTable}; those given for
     * every table also by {@link io.kvstadium.store.engine.StoreConfig#options()}.
     */
    TABLE
  }

  public OptionSpec {
    choices = List.copyOf(choices);
    if ((range != null) != type.isNumber()) {
      throw new IllegalArgumentException(
          "option " + name + ": numbers, sizes and durations have a range, and others have none");
    }
    if (range != null
        && (number(type, range.min()).compareTo(number(type, range.max())) > 0
            || (!fallback.isEmpty() && !isIn(type, range, fallback)))) {
      throw new IllegalArgumentException(
          "option " + name + ": " + fallback + " is not in " + range);
    }
  }

  /** Whether a value of the right form is in the range, if there is one. */
  public boolean allows(String value) {
    return range == null || isIn(type, range, value);
  }

  private static boolean isIn(Type type, Bounds range, String value) {
    BigDecimal number = number(type, value);
    return number.compareTo(number(type, range.min())) >= 0
        && number.compareTo(number(type, range.max())) <= 0;
  }

  private static BigDecimal number(Type type, String value) {
    return switch (type) {
      case SIZE -> BigDecimal.valueOf(Options.parseSize(value));
      case DURATION -> BigDecimal.valueOf(Options.parseDuration(value).toNanos());
      default -> new BigDecimal(value);
    };
  }
}
