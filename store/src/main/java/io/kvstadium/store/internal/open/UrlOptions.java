package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Recording;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.internal.Nearest;
import io.kvstadium.store.internal.view.Tables;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a URL says: the options of the library itself, and the configuration for the engine. */
final class UrlOptions {
  static final String READ_ONLY = "read_only";
  static final String INCOMPLETE = "incomplete";
  static final String ADOPT = "adopt";
  private static final String DURABILITY = "durability";
  private static final String SYNC_EVERY = "sync_every";
  private static final String TABLE_PREFIX = "table.";
  private static final String RECORD = "record";
  private static final String SAMPLE = "record_sample";
  private static final String KEYS = "record_keys";

  private static final String MOVE_TO = "move_to";
  private static final String MOVE_RATE = "move_rate";
  private static final String SHADOW = "shadow";
  private static final String MOVED = "moved";

  /** The options of a move. */
  static final Set<String> MOVE = Set.of(MOVE_TO, MOVE_RATE, SHADOW, MOVED);

  /** The options of a recording. */
  static final Set<String> RECORDING = Set.of(RECORD, SAMPLE, KEYS);

  /** The options of the library itself. */
  private static final Set<String> LIBRARY_OPTIONS =
      Set.of(
          DURABILITY,
          READ_ONLY,
          SYNC_EVERY,
          INCOMPLETE,
          ADOPT,
          RECORD,
          SAMPLE,
          KEYS,
          MOVE_TO,
          MOVE_RATE,
          SHADOW,
          MOVED);

  /** What a shell replaces, or a URL of other libraries begins with; none names a directory. */
  private static final Pattern NO_DIRECTORY =
      Pattern.compile(
          "(~[^/]*|\\$\\w+|\\$\\{.*)(/.*)?|:memory:|(jdbc|file|mem|nio|tcp):.*", Pattern.DOTALL);

  /** An option behind a location without its question mark. */
  private static final Pattern AMPERSAND = Pattern.compile(".*&[A-Za-z_.]+=.*", Pattern.DOTALL);

  private final String url;
  private final StoreUrl parsed;

  UrlOptions(String url) {
    this(url, StoreUrl.parse(url));
  }

  private UrlOptions(String url, StoreUrl parsed) {
    this.url = url;
    this.parsed = parsed;
  }

  String url() {
    return url;
  }

  /** The engine's name. */
  String engine() {
    return parsed.engine();
  }

  /** Whether an option of the library is true. */
  boolean flag(String option) {
    String word = parsed.options().getOrDefault(option, "false");
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new BadArgumentException(
              "%s=%s in '%s': write true or false".formatted(option, word, url));
    };
  }

  /** What the URL says, or the default if it says nothing: others' stores are only read. */
  boolean readOnly() {
    return flag(parsed.options().containsKey(READ_ONLY) ? READ_ONLY : ADOPT);
  }

  @Nullable Duration syncEvery() {
    String text = parsed.options().get(SYNC_EVERY);
    if (text == null) {
      return null;
    }
    try {
      Duration period = Options.parseDuration(text);
      if (period.isPositive()) {
        return period;
      }
    } catch (BadArgumentException e) {
      throw new BadArgumentException(SYNC_EVERY + " in '" + url + "': " + e.getMessage());
    }
    throw new BadArgumentException(
        "%s=%s in '%s': write a time above 0, such as 1s".formatted(SYNC_EVERY, text, url));
  }

  /** The URL of the store to move to, or {@code null}. */
  @Nullable String moveTo() {
    return parsed.options().get(MOVE_TO);
  }

  /** How many bytes a second a move copies at most; 0 without a limit. */
  long moveRate() {
    String text = parsed.options().get(MOVE_RATE);
    return text == null ? 0 : Options.parseSize(text);
  }

  /** The share of the reads that a move makes on both stores. */
  double shadow() {
    String text = parsed.options().getOrDefault(SHADOW, "0");
    try {
      double share = Double.parseDouble(text);
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new BadArgumentException(
        "%s=%s in '%s': write a share from 0 to 1, such as 0.01".formatted(SHADOW, text, url));
  }

  /** Whether a store that has moved is opened where it is now. */
  boolean followsMoved() {
    String word = parsed.options().getOrDefault(MOVED, "follow");
    return switch (word) {
      case "follow" -> true;
      case "refuse" -> false;
      default ->
          throw new BadArgumentException(
              "%s=%s in '%s': write follow or refuse".formatted(MOVED, word, url));
    };
  }

  /** The same store by an absolute path, with what matters to each of its opens. */
  StoreUrl lasting(StoreConfig config, @Nullable StoreConfig durable) {
    Map<String, String> options = new LinkedHashMap<>(parsed.options());
    String level = options.get(DURABILITY);
    options.keySet().removeAll(LIBRARY_OPTIONS);
    if (level != null) {
      options.put(DURABILITY, level);
    } else if (durable != null) {
      options.put(DURABILITY, durable.durability().word());
    }
    return new StoreUrl(
        parsed.engine(), config.directory().toAbsolutePath().normalize().toString(), options);
  }

  /** What to record, or {@code null}; without a word of the URL, what the environment says. */
  Recording.@Nullable Options recording(Map<String, String> environment) {
    Map<String, String> options = parsed.options();
    try {
      String file = options.get(RECORD);
      if (file != null) {
        return Recording.Options.parse(file, options.get(SAMPLE), options.get(KEYS));
      }
      for (String needless : RECORDING) {
        if (options.containsKey(needless)) {
          throw new BadArgumentException(needless + " needs a file: add record=app.trace");
        }
      }
    } catch (BadArgumentException e) {
      throw new BadArgumentException("'" + url + "': " + e.getMessage(), e);
    }
    String file = environment.get("STADIUM_RECORD");
    if (file == null || file.isEmpty()) {
      return null;
    }
    try {
      return Recording.Options.parse(
              file,
              environment.get("STADIUM_RECORD_SAMPLE"),
              environment.get("STADIUM_RECORD_KEYS"))
          .forEachStore();
    } catch (BadArgumentException e) {
      throw new BadArgumentException("in STADIUM_RECORD…: " + e.getMessage(), e);
    }
  }

  /** The same, at a level that the engine has: for what writes nothing. */
  UrlOptions atAnyLevel(EngineInfo info) {
    return parsed.options().get(DURABILITY) == null && losesWrites(info)
        ? new UrlOptions(url, parsed.with(DURABILITY, Durability.NONE.word()))
        : this;
  }

  StoreConfig config(Engine engine, boolean readOnly) {
    EngineInfo info = engine.info();
    Map<String, String> forEngine = new LinkedHashMap<>(parsed.options());
    String level = forEngine.remove(DURABILITY);
    forEngine.keySet().removeAll(LIBRARY_OPTIONS);
    boolean adopt = flag(ADOPT);
    Map<String, Map<String, String>> perTable = takePerTable(forEngine, adopt);
    List<OptionSpec> tableSpecs =
        info.options().stream().filter(spec -> spec.scope() == OptionSpec.Scope.TABLE).toList();
    forEngine.keySet().forEach(name -> refuseAlmostOurs(info, name));
    Options options = Options.of(info.name(), info.options(), forEngine);
    Map<String, String> forAllTables = new LinkedHashMap<>(options.given());
    forAllTables
        .keySet()
        .removeIf(name -> tableSpecs.stream().noneMatch(spec -> spec.name().equals(name)));
    Map<String, Options> tables = new LinkedHashMap<>();
    perTable.forEach((table, given) -> {
      Map<String, String> merged = new LinkedHashMap<>(forAllTables);
      merged.putAll(given);
      tables.put(table, Options.of(info.name(), tableSpecs, merged));
    });
    Options otherTables = Options.of(info.name(), tableSpecs, forAllTables);
    String directory = engine.directory(parsed.location(), options);
    return new StoreConfig(
        parsed.location(),
        directory == null ? null : path(directory),
        durability(info, level),
        readOnly,
        options,
        name -> tables.getOrDefault(name, otherTables),
        adopt);
  }

  /** An option that the engine does not have, and that is nearest to one of the library's. */
  private static void refuseAlmostOurs(EngineInfo info, String name) {
    Set<String> all = new TreeSet<>(LIBRARY_OPTIONS);
    info.options().forEach(spec -> all.add(spec.name()));
    String hint = all.contains(name) ? "" : Nearest.hint(name, all);
    if (LIBRARY_OPTIONS.stream().anyMatch(option -> hint.contains("'" + option + "'"))) {
      throw new BadArgumentException("there is no option '" + name + "'" + hint);
    }
  }

  /** The tables that have options of their own, which may have any name. */
  Set<String> tables() {
    return takePerTable(new LinkedHashMap<>(parsed.options()), true).keySet();
  }

  /** Takes out the options of single tables, which may have any name if other programs gave it. */
  private Map<String, Map<String, String>> takePerTable(
      Map<String, String> options, boolean anyName) {
    Map<String, Map<String, String>> tables = new LinkedHashMap<>();
    options
        .entrySet()
        .removeIf(option -> {
          String name = option.getKey();
          if (!name.startsWith(TABLE_PREFIX)) {
            return false;
          }
          int dot = name.lastIndexOf('.');
          if (dot < TABLE_PREFIX.length()) {
            throw new BadArgumentException(
                "'%s' in '%s' does not name an option of a table: write table.NAME.OPTION=VALUE"
                    .formatted(name, url));
          }
          String table = name.substring(TABLE_PREFIX.length(), dot);
          if (!anyName) {
            Tables.checkName(table);
          }
          tables
              .computeIfAbsent(table, _ -> new LinkedHashMap<>())
              .put(name.substring(dot + 1), option.getValue());
          return true;
        });
    return tables;
  }

  /**
   * The level that is provided for the one asked for, or for consistent; if an engine keeps files
   * and provides only none, the URL must ask for that.
   */
  private Durability durability(EngineInfo info, @Nullable String word) {
    if (word == null) {
      DurabilityMapping usual = info.durability().get(Durability.CONSISTENT);
      if (usual != null) {
        return usual.effective();
      }
      if (losesWrites(info)) {
        throw new BadArgumentException(
            "%s: engine %s can lose what was written when the process ends without a close: add durability=none to the URL to accept that, or use another engine"
                .formatted(url, info.name()));
      }
      return Durability.NONE;
    }
    DurabilityMapping level = info.durability().get(Durability.of(word));
    if (level == null) {
      List<String> levels = info.durability().keySet().stream().map(Durability::word).toList();
      throw new UnsupportedException(
          "%s: engine %s cannot give durability %s; it can give: %s"
              .formatted(url, info.name(), word, String.join(", ", levels)));
    }
    return level.effective();
  }

  /** Whether it keeps stores, but none that is as safe as the default level. */
  private static boolean losesWrites(EngineInfo info) {
    return info.capabilities().contains(Capability.PERSISTENT)
        && !info.durability().containsKey(Durability.CONSISTENT);
  }

  private Path path(String location) {
    String engine = parsed.engine();
    if (location.isEmpty()) {
      throw new BadArgumentException("'" + url + "' names no directory: write engine:directory");
    }
    if (NO_DIRECTORY.matcher(location).matches()) {
      throw new BadArgumentException(
          "'%s' does not name a directory: nothing replaces ~ or a variable in it, and file:, mem: or :memory: belong to other URLs: write %s:/an/absolute/path, or %s:./%s if the directory has that name%s"
              .formatted(
                  url,
                  engine,
                  engine,
                  location,
                  location.matches(":?mem.*") ? "; engine memory keeps nothing on disk" : ""));
    }
    if (AMPERSAND.matcher(location).matches()) {
      throw new BadArgumentException(
          "'%s' has an option in its directory: options begin with ?, as in %s"
              .formatted(url, url.replaceFirst("&", "?")));
    }
    if (parsed.location().startsWith("//")) { // as a path it would be /d/x, which nobody means
      String place = parsed.location().replaceFirst("^/+", "");
      throw new BadArgumentException(
          "'%s' has slashes that belong to URLs of servers: did you mean %s, a directory below the working directory, or %s?"
              .formatted(url, StoreUrl.of(engine, place), StoreUrl.of(engine, "/" + place)));
    }
    try {
      return Path.of(location);
    } catch (InvalidPathException e) {
      throw new BadArgumentException(
          "'" + location + "' is not a valid path: " + e.getMessage(), e);
    }
  }
}
