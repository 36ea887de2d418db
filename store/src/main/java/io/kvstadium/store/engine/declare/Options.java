package io.kvstadium.store.engine.declare;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Nearest;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of declared options, checked: each option has the value that was given or its default.
 * Immutable.
 */
public final class Options {
  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,18}) ?(?:([kmgt])i?)?b?", Pattern.CASE_INSENSITIVE);

  private static final Pattern DURATION = Pattern.compile("(\\d{1,15})(ns|us|ms|s|m|h)");

  private final String engine;
  private final Map<String, OptionSpec> specs = new LinkedHashMap<>();
  private final Map<String, String> given;

  private Options(String engine, List<OptionSpec> specs, Map<String, String> given) {
    this.engine = engine;
    specs.forEach(spec -> this.specs.put(spec.name(), spec));
    this.given = Collections.unmodifiableMap(new LinkedHashMap<>(given));
  }

  /**
   * Checks given values against the declared options.
   *
   * @param engine the engine's name, for messages
   * @throws BadArgumentException naming the option, what it takes, and the nearest match of an
   *     unknown one
   */
  public static Options of(String engine, List<OptionSpec> specs, Map<String, String> given) {
    Options options = new Options(engine, specs, given);
    given.forEach(options::check);
    Map<String, String> divided = new LinkedHashMap<>(given);
    specs.forEach(spec -> options.divide(spec, divided));
    return divided.size() == given.size() ? options : of(engine, specs, divided);
  }

  /** Sets the options of a budget that are not given; those that are must fit into their share. */
  private void divide(OptionSpec spec, Map<String, String> divided) {
    String budget = given.get(spec.name());
    if (spec.budget() == null || budget == null) {
      return;
    }
    Map<String, String> parts = spec.budget().parts();
    spec.budget()
        .divide(parseSize(budget))
        .forEach((name, share) -> {
          String own = divided.putIfAbsent(name, share);
          if (own != null
              && OptionSpec.Budget.isShare(parts.getOrDefault(name, ""))
              && parseSize(own) > parseSize(share)) {
            throw new BadArgumentException(
                ("engine %s: %s=%s is more than its share of %s=%s, which is %s bytes: lower it,"
                        + " raise %s, or leave one of them out")
                    .formatted(engine, name, own, spec.name(), budget, share, spec.name()));
          }
        });
  }

  /** The values that were given, or that follow from a budget, without defaults, in their order. */
  public Map<String, String> given() {
    return given;
  }

  /** Whether the option was given, or has a default that is not the engine's own. */
  public boolean has(String name) {
    return !text(name).isEmpty();
  }

  /** The value as written, or the default; empty for the engine's own default. */
  public String text(String name) {
    OptionSpec spec = specs.get(name);
    if (spec == null) {
      throw new IllegalArgumentException("engine " + engine + " declares no option " + name);
    }
    return given.getOrDefault(name, spec.fallback());
  }

  /** A {@link OptionSpec.Type#BOOLEAN}; false if empty. */
  public boolean bool(String name) {
    return text(name).equals("true");
  }

  /** An {@link OptionSpec.Type#INTEGER}; the option must have a value. */
  public long integer(String name) {
    return Long.parseLong(text(name));
  }

  /** A {@link OptionSpec.Type#DECIMAL}; the option must have a value. */
  public double decimal(String name) {
    return Double.parseDouble(text(name));
  }

  /** A {@link OptionSpec.Type#SIZE} in bytes; the option must have a value. */
  public long size(String name) {
    return parseSize(text(name));
  }

  /**
   * A {@link OptionSpec.Type#SIZE} that this JVM's heap must have room for, to be asked for when a
   * store is opened: its default is no more than a quarter of the heap, so that any heap will do.
   *
   * @throws BadArgumentException if it was given and is more than the heap
   */
  public long heapSize(String name) {
    return heapSize(name, Runtime.getRuntime().maxMemory());
  }

  long heapSize(String name, long heap) {
    long size = size(name);
    if (!given.containsKey(name)) {
      return Math.min(size, heap / 4);
    }
    if (size > heap) {
      throw new BadArgumentException(
          ("engine %s: %s=%s is more than this JVM's heap of %dm: lower it, or raise the heap with"
                  + " -Xmx (in STADIUM_JAVA_OPTS for the command)")
              .formatted(engine, name, text(name), heap >> 20));
    }
    return size;
  }

  /** A {@link OptionSpec.Type#DURATION}; the option must have a value. */
  public Duration duration(String name) {
    return parseDuration(text(name));
  }

  /**
   * The number of bytes in a text such as {@code 512}, {@code 64k}, {@code 64MiB} or {@code 1g};
   * suffixes, in upper or lower case, are powers of 1,024.
   *
   * @throws BadArgumentException if it is none
   */
  public static long parseSize(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      throw new BadArgumentException(
          "'" + text + "' is not a valid size: write 4096, 64k, 512MB or 2GiB");
    }
    String unit = matcher.group(2);
    int power = unit == null ? 0 : " kmgt".indexOf(unit.toLowerCase(Locale.ROOT));
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * power));
    } catch (ArithmeticException e) {
      throw new BadArgumentException("'" + text + "' is more bytes than can be counted", e);
    }
  }

  /**
   * The duration in a text such as {@code 250ms} or {@code 2s}.
   *
   * @throws BadArgumentException if it is none, or longer than 292 years
   */
  public static Duration parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new BadArgumentException(
          "'" + text + "' is not a valid duration: write 250ms, 2s or 1m");
    }
    long nanos =
        switch (matcher.group(2)) {
          case "ns" -> 1;
          case "us" -> 1_000;
          case "ms" -> 1_000_000;
          case "s" -> 1_000_000_000;
          case "m" -> 60_000_000_000L;
          default -> 3_600_000_000_000L;
        };
    try {
      return Duration.ofNanos(Math.multiplyExact(Long.parseLong(matcher.group(1)), nanos));
    } catch (ArithmeticException e) {
      throw new BadArgumentException("'" + text + "' is longer than can be counted", e);
    }
  }

  private void check(String name, String value) {
    OptionSpec spec = specs.get(name);
    if (spec == null) {
      throw new BadArgumentException(
          "engine %s has no option '%s'%s; it has: %s"
              .formatted(
                  engine,
                  name,
                  Nearest.hint(name, specs.keySet()),
                  specs.isEmpty() ? "none" : String.join(", ", specs.keySet())));
    }
    boolean formed =
        switch (spec.type()) {
          case BOOLEAN -> value.equals("true") || value.equals("false");
          case INTEGER -> value.matches("-?\\d{1,18}");
          case DECIMAL -> value.matches("-?\\d{1,18}(\\.\\d{1,18})?");
          case SIZE -> SIZE.matcher(value).matches();
          case DURATION -> DURATION.matcher(value).matches();
          case CHOICE -> spec.choices().contains(value);
          case TEXT -> true;
        };
    if (!formed || !isAllowed(spec, value)) {
      throw new BadArgumentException(
          "option %s of engine %s cannot be '%s': it takes %s"
              .formatted(name, engine, value, takes(spec)));
    }
  }

  private static boolean isAllowed(OptionSpec spec, String value) {
    try {
      return spec.allows(value);
    } catch (BadArgumentException e) {
      return false; // more than can be counted
    }
  }

  private static String takes(OptionSpec spec) {
    OptionSpec.Bounds range = spec.range();
    return form(spec) + (range == null ? "" : ", from " + range.min() + " to " + range.max());
  }

  private static String form(OptionSpec spec) {
    return switch (spec.type()) {
      case BOOLEAN -> "true or false";
      case INTEGER -> "a whole number";
      case DECIMAL -> "a number";
      case SIZE -> "a size such as 4096, 64k, 512m or 2g";
      case DURATION -> "a duration such as 250ms, 2s or 1m";
      case CHOICE -> "one of " + String.join(", ", spec.choices());
      case TEXT -> "a text";
    };
  }
}
