package io.kvstadium.bench.suite;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.internal.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/** A table of a TOML file: its values by name, with errors that name the file and line. */
public final class Section {
  private final String file;
  private final String title;
  private final TomlTable table;
  private final int line;
  private final @Nullable SweepPoint point;
  private final Set<String> known = new LinkedHashSet<>();

  private Section(
      String file, String title, TomlTable table, int line, @Nullable SweepPoint point) {
    this.file = file;
    this.title = title;
    this.table = table;
    this.line = line;
    this.point = point;
  }

  /** A copy that has the value of a sweep's point, in the place of its own if it has one. */
  Section at(SweepPoint swept) {
    return new Section(file, title, table, line, swept);
  }

  boolean has(String name) {
    return table.contains(List.of(name));
  }

  /**
   * The table of a whole file.
   *
   * @param text the text of the file
   * @param file the file's name, for messages
   * @param title what the file is, for messages: "the suite"
   * @throws BadArgumentException with file and line if it is not TOML
   */
  public static Section of(String text, String file, String title) {
    TomlParseResult toml = Toml.parse(text);
    for (TomlParseError error : toml.errors()) {
      throw new BadArgumentException(
          file + ":" + error.position().line() + ": " + error.getMessage());
    }
    return new Section(file, title, toml, 1, null);
  }

  /** A text that must be present. */
  public String text(String name) {
    String value = text(name, null);
    if (value == null) {
      throw error(line, title + " has no '" + name + "': add " + name + " = \"…\"");
    }
    return value;
  }

  public @Nullable String text(String name, @Nullable String fallback) {
    Object value = value(name);
    if (value == null) {
      return fallback;
    }
    if (value instanceof String text) {
      return text;
    }
    throw wrong(name, "a text in quotes");
  }

  String word(String name, String fallback, List<String> words) {
    String value = text(name, fallback);
    if (value == null || !words.contains(value)) {
      throw wrong(
          name,
          "one of " + String.join(", ", words) + Nearest.hint(value == null ? "" : value, words));
    }
    return value;
  }

  long whole(String name, long fallback, long min) {
    Object value = value(name);
    if (value == null) {
      return fallback;
    }
    if (value instanceof Long whole && whole >= min) {
      return whole;
    }
    throw wrong(name, "a whole number, " + min + " or more");
  }

  public int small(String name, int fallback, int min) {
    long value = whole(name, fallback, min);
    if (value > Integer.MAX_VALUE) {
      throw wrong(name, "a whole number up to " + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  double number(String name, double fallback, double min, double max) {
    Object value = value(name);
    if (value == null) {
      return fallback;
    }
    if (value instanceof Number number
        && number.doubleValue() >= min
        && number.doubleValue() <= max) {
      return number.doubleValue();
    }
    throw wrong(name, "a number from " + min + " to " + max);
  }

  /** A size such as {@code "512m"}, or a whole number of bytes. */
  public long size(String name, long fallback) {
    Object value = value(name);
    try {
      return value == null ? fallback : Options.parseSize(String.valueOf(value));
    } catch (BadArgumentException e) {
      throw wrong(name, "a size such as \"512m\"");
    }
  }

  /** A duration in seconds, or 0 if there is none. */
  public double seconds(String name) {
    if (value(name) == null) {
      return 0;
    }
    try {
      return Options.parseDuration(text(name)).toMillis() / 1e3;
    } catch (BadArgumentException e) {
      throw wrong(name, "a duration such as \"3m\"");
    }
  }

  public boolean flag(String name) {
    Object value = value(name);
    if (value == null) {
      return false;
    }
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw wrong(name, "true or false");
  }

  /** A text, or a number as a text. */
  String textOrNumber(String name, String fallback) {
    Object value = value(name);
    if (value == null) {
      return fallback;
    }
    if (value instanceof String || value instanceof Number) {
      return String.valueOf(value);
    }
    throw wrong(name, "a text in quotes or a number");
  }

  /** Texts of an array, or a single one. */
  public List<String> texts(String name, List<String> fallback) {
    Object value = value(name);
    if (value == null) {
      return fallback;
    }
    if (value instanceof String text) {
      return List.of(text);
    }
    if (value instanceof TomlArray array
        && !array.isEmpty()
        && array.toList().stream().allMatch(String.class::isInstance)) {
      return array.toList().stream().map(String::valueOf).toList();
    }
    throw wrong(name, "a text in quotes, or several: [\"…\", \"…\"]");
  }

  /** Numbers above 0, in an array. */
  List<Double> numbers(String name) {
    Object value = value(name);
    List<Double> numbers = new ArrayList<>();
    if (value == null) {
      return numbers;
    }
    if (value instanceof TomlArray array) {
      for (Object each : array.toList()) {
        if (each instanceof Number number && number.doubleValue() > 0) {
          numbers.add(number.doubleValue());
        }
      }
      if (numbers.size() == array.size()) {
        return numbers;
      }
    }
    throw wrong(name, "numbers above 0: [1000, 10000]");
  }

  /** Shares by name, each above 0. */
  Map<String, Double> shares(String name) {
    Map<String, Double> shares = new LinkedHashMap<>();
    Object value = value(name);
    if (value == null) {
      return shares;
    }
    if (value instanceof TomlTable given) {
      for (String each : given.keySet()) {
        if (given.get(List.of(each)) instanceof Number number && number.doubleValue() > 0) {
          shares.put(each, number.doubleValue());
        }
      }
      if (shares.size() == given.size()) {
        return shares;
      }
    }
    throw wrong(name, "shares by operation: { get = 0.95, update = 0.05 }");
  }

  /** A table of options, each with one text or, in an array, several to choose from. */
  Map<String, List<String>> choices(String name) {
    Map<String, List<String>> choices = new LinkedHashMap<>();
    if (value(name) instanceof TomlTable given) {
      given
          .keyPathSet(false)
          .forEach(path ->
              choices.put(
                  String.join(".", path),
                  given.get(path) instanceof TomlArray array
                      ? array.toList().stream().map(String::valueOf).toList()
                      : List.of(String.valueOf(given.get(path)))));
      if (choices.values().stream().anyMatch(List::isEmpty)) {
        throw wrong(name, "at least one value for each option");
      }
    } else {
      options(name).forEach((option, text) -> choices.put(option, List.of(text)));
    }
    return choices;
  }

  /** A table of options: texts, numbers and booleans, as texts. */
  Map<String, String> options(String name) {
    Map<String, String> options = new LinkedHashMap<>();
    Object value = value(name);
    if (value == null) {
      return options;
    }
    if (!(value instanceof TomlTable given)) {
      throw wrong(name, "a table such as { cache_size = \"64m\" }");
    }
    // not the dotted keys, which keep the quotes that a dot inside a name needs
    given
        .keyPathSet(false)
        .forEach(path -> options.put(String.join(".", path), text(given.get(path))));
    return options;
  }

  public @Nullable Section table(String name) {
    Object value = value(name);
    if (value == null) {
      return null;
    }
    if (value instanceof TomlTable inner) {
      return new Section(file, "[" + name + "]", inner, lineOf(name), null);
    }
    throw wrong(name, "a table [" + name + "]");
  }

  public List<Section> tables(String name) {
    Object value = value(name);
    List<Section> sections = new ArrayList<>();
    if (value == null) {
      return sections;
    }
    if (!(value instanceof TomlArray array)
        || array.toList().stream().anyMatch(element -> !(element instanceof TomlTable))) {
      throw wrong(name, "tables, each headed [[" + name + "]]");
    }
    for (int i = 0; i < array.size(); i++) {
      TomlPosition position = array.inputPositionOf(i);
      sections.add(
          new Section(
              file,
              "[[" + name + "]] number " + (i + 1),
              array.getTable(i),
              position == null ? line : position.line(),
              null));
    }
    return sections;
  }

  /** Refuses keys that were never read; called after everything has been read. */
  public void refuseOthers() {
    for (String name : table.keySet()) {
      if (!known.contains(name)) {
        throw error(
            lineOf(name),
            title
                + " does not know '"
                + name
                + "'"
                + Nearest.hint(name, known)
                + "; it knows: "
                + String.join(", ", known));
      }
    }
  }

  /** A text, or a number as a text, parsed by a parser whose errors do not name the file. */
  <T> T parsed(String name, String fallback, Function<String, T> parser) {
    String text = textOrNumber(name, fallback);
    return check(() -> parser.apply(text));
  }

  /** The result of a supplier, with the file and line added to its errors. */
  <T> T check(Supplier<T> made) {
    try {
      return made.get();
    } catch (BadArgumentException e) {
      throw error(line, title + ": " + e.getMessage());
    }
  }

  public BadArgumentException wrong(String name, String expected) {
    Object value = value(name);
    return error(
        value == null ? line : lineOf(name),
        name
            + (value == null ? " is missing" : " cannot be " + show(value))
            + ": it takes "
            + expected);
  }

  public BadArgumentException error(String message) {
    return error(line, message);
  }

  private BadArgumentException error(int where, String message) {
    return new BadArgumentException(file + ":" + where + ": " + message);
  }

  private @Nullable Object value(String name) {
    known.add(name);
    return point != null && point.parameter().equals(name)
        ? point.number()
        : table.get(List.of(name));
  }

  private int lineOf(String name) {
    TomlPosition position = table.inputPositionOf(List.of(name));
    return position == null ? line : position.line();
  }

  private static String show(Object value) {
    return value instanceof String text ? "'" + text + "'" : text(value);
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case TomlTable inner -> inner.toMap().toString();
      case TomlArray array -> array.toList().stream().map(Section::text).toList().toString();
      case null, default -> String.valueOf(value);
    };
  }
}
