package io.kvstadium.store.internal;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.Stores;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.OptionSpec;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.StoreConfig;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns a URL into an open store: all checks that can be made before the engine is asked. */
public final class Opener {
  private static final String TABLE_PREFIX = "table.";
  private static final String DURABILITY = "durability";
  static final String READ_ONLY = "read_only";
  private static final String SYNC_EVERY = "sync_every";
  static final String INCOMPLETE = "incomplete";
  private static final String ADOPT = "adopt";

  /** The options of the library itself. */
  private static final Set<String> OWN =
      Set.of(DURABILITY, READ_ONLY, SYNC_EVERY, INCOMPLETE, ADOPT);

  /** What a shell replaces, or a URL of other libraries begins with; none names a directory. */
  private static final Pattern NO_DIRECTORY =
      Pattern.compile(
          "(~[^/]*|\\$\\w+|\\$\\{.*)(/.*)?|:memory:|(jdbc|file|mem|nio|tcp):.*", Pattern.DOTALL);

  /** What native code may read differently in a path. */
  private static final Pattern ODD = Pattern.compile("[^ -~]|\\\\");

  /** An option behind a location without its question mark. */
  private static final Pattern AMPERSAND = Pattern.compile(".*&[A-Za-z_.]+=.*", Pattern.DOTALL);

  private static final String CLOSE_IT = "close it there, or use another directory";

  private final Engines engines;

  public Opener(Engines engines) {
    this.engines = engines;
  }

  public void check(String url) {
    StoreUrl parsed = StoreUrl.parse(url);
    Engine engine = engines.engine(parsed.engine());
    OpenOptions how = OpenOptions.DEFAULT.readOnly(readOnly(parsed, url));
    StoreConfig config = config(url, parsed, engine, how.readOnly());
    checkWishes(url, engine.info(), how, config, parsed);
    engine.check(config);
  }

  public Store open(String url, OpenOptions asked) {
    Arguments.given(url, "OpenOptions", asked);
    StoreUrl parsed = StoreUrl.parse(url);
    OpenOptions how = asked.readOnly(asked.readOnly() || readOnly(parsed, url));
    Engine engine = engines.engine(parsed.engine());
    EngineInfo info = engine.info();
    StoreConfig config = config(url, parsed, engine, how.readOnly());
    checkWishes(url, info, how, config, parsed);
    engine.check(config);
    String unavailable = engine.unavailable(config);
    if (unavailable != null) {
      throw new UnsupportedException(
          "engine " + info.name() + " cannot be used here: " + unavailable);
    }
    if (config.path() != null && !how.required().isEmpty()) { // before anything is made there
      require(url, info, Capability.all(engine.capabilities(config)), how.required());
    }
    Duration period = syncEvery(parsed, url);
    OpenStore<?> store;
    if (config.path() == null) {
      prepareElsewhere(url, engine, config, how);
      store = start(url, engine, config, how, null);
    } else if (config.adopt()) {
      store = openAdopted(url, engine, config, how, parsed);
    } else {
      store = openDirectory(url, engine, config, how, parsed);
    }
    if (period != null) {
      store.syncEvery(period);
    }
    return store;
  }

  private static @Nullable Duration syncEvery(StoreUrl parsed, String url) {
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
        SYNC_EVERY + "=" + text + " in '" + url + "': write a time above 0, such as 1s");
  }

  public StoreConfig config(String url) {
    StoreUrl parsed = StoreUrl.parse(url);
    Engine engine = engines.engine(parsed.engine());
    StoreConfig config = config(url, parsed, engine, readOnly(parsed, url));
    engine.check(config);
    return config;
  }

  /** What the URL says, or the default if it says nothing: others' stores are only read. */
  private static boolean readOnly(StoreUrl parsed, String url) {
    return parsed.options().containsKey(READ_ONLY)
        ? says(parsed, READ_ONLY, url)
        : says(parsed, ADOPT, url);
  }

  public void destroy(String url) {
    StoreUrl parsed = StoreUrl.parse(url);
    Engine engine = engines.engine(parsed.engine());
    boolean anyLevel = parsed.options().get(DURABILITY) == null && losesWrites(engine.info());
    StoreConfig config =
        config(
            url,
            anyLevel ? parsed.with(DURABILITY, Durability.NONE.word()) : parsed,
            engine,
            false);
    if (config.adopt()) {
      throw new BadArgumentException(
          url + ": a store that another program wrote is not removed: remove its files yourself");
    }
    if (config.path() == null) {
      destroy(engine, config);
      return;
    }
    StoreDirectory directory = new StoreDirectory(config.directory(), url);
    if (isStore(url, engine, config, directory)) {
      try (StoreDirectory.Lock _ =
          directory.lock(StoreDirectory.Use.ALONE, () -> CLOSE_IT)) { // refuses what is open
        destroy(engine, config);
        directory.remove();
      }
    }
  }

  /** Checks the existence of a store that is not a directory; asks only if it matters. */
  private static void prepareElsewhere(
      String url, Engine engine, StoreConfig config, OpenOptions how) {
    if (how.errorIfExists() && exists(engine, config)) {
      throw new BadArgumentException(
          url + ": there is such a store already, and errorIfExists is set");
    } else if ((how.readOnly() || !how.createIfMissing()) && !exists(engine, config)) {
      throw new BadArgumentException(
          url
              + ": there is no such store"
              + (how.readOnly() ? "" : ", and createIfMissing=false forbids creating one"));
    }
  }

  private OpenStore<?> openDirectory(
      String url, Engine engine, StoreConfig config, OpenOptions how, StoreUrl parsed) {
    StoreDirectory directory = new StoreDirectory(config.directory(), url);
    boolean exists = isStore(url, engine, config, directory);
    if (exists && how.errorIfExists()) {
      throw new BadArgumentException(
          url + ": there is a store in " + config.path() + " already, and errorIfExists is set");
    }
    if (!exists && (how.readOnly() || !how.createIfMissing())) {
      throw new BadArgumentException(
          url
              + ": there is no "
              + engine.info().name()
              + " store in "
              + config.path()
              + (how.readOnly() ? "" : ", and createIfMissing=false forbids creating one"));
    }
    boolean unfinished = !how.readOnly() && (!exists || directory.isUnfinished());
    if (unfinished) {
      directory.create();
    }
    StoreDirectory.Use use = use(engine, how.readOnly());
    StoreDirectory.Lock lock =
        use == null ? null : directory.lock(use, () -> advice(engine.info(), how.readOnly()));
    try {
      if (!says(parsed, INCOMPLETE, url)) {
        new IncompleteMark(config.directory(), url).refuse();
      }
      if (!exists) {
        directory.begin();
      }
    } catch (RuntimeException e) {
      if (lock != null) {
        lock.close();
      }
      throw e;
    }
    OpenStore<?> store = start(url, engine, config, how, lock);
    if (unfinished) {
      closedUnless(
          store,
          () -> {
            refuseElsewhere(url, engine, config);
            directory.made();
          });
    }
    return store;
  }

  /**
   * Opens what another program wrote. It has at most the engine's own locks; within this process it
   * is claimed where an engine needs that.
   */
  private OpenStore<?> openAdopted(
      String url, Engine engine, StoreConfig config, OpenOptions how, StoreUrl parsed) {
    Path place = config.directory();
    if (!exists(engine, config)) {
      throw new BadArgumentException(
          url
              + ": there is no "
              + engine.info().name()
              + " store at "
              + place
              + " to adopt: name the directory or the file that its program gave it");
    }
    Path directory = Files.isDirectory(place) ? place : place.toAbsolutePath().getParent();
    if (directory != null) {
      if (!says(parsed, INCOMPLETE, url)) {
        new IncompleteMark(directory, url).refuse();
      }
    }
    StoreDirectory.Lock lock =
        use(engine, how.readOnly()) == null ? null : new StoreDirectory(place, url).claim();
    OpenStore<?> store = start(url, engine, config, how, lock);
    closedUnless(store, () -> checkTables(url, store, parsed));
    return store;
  }

  /** Refuses options of tables that do not exist: a typo would go unnoticed. */
  private static void checkTables(String url, Store store, StoreUrl parsed) {
    Set<String> present = new TreeSet<>(store.tables());
    present.addAll(Stores.unreadable(store).keySet());
    for (String table : takePerTable(new LinkedHashMap<>(parsed.options()), url, true).keySet()) {
      if (!present.contains(table)) {
        throw new BadArgumentException(
            url
                + ": there is no table '"
                + table
                + "'"
                + Nearest.hint(table, present)
                + "; there are: "
                + String.join(", ", present));
      }
    }
  }

  /** What to lock the directory for, or {@code null} for a reader that needs no lock. */
  private static StoreDirectory.@Nullable Use use(Engine engine, boolean readOnly) {
    if (!engine.info().capabilities().contains(Capability.CONCURRENT_READ_ONLY)) {
      return readOnly ? StoreDirectory.Use.READ : StoreDirectory.Use.ALONE;
    }
    if (engine.opensTwiceInOneProcess()) {
      return readOnly ? null : StoreDirectory.Use.ALONE;
    }
    return readOnly
        ? StoreDirectory.Use.READ_BESIDE_WRITER
        : StoreDirectory.Use.WRITE_BESIDE_READERS;
  }

  /** What to do about a store that another process has open. */
  private String advice(EngineInfo info, boolean readOnly) {
    if (info.capabilities().contains(Capability.CONCURRENT_READ_ONLY)) {
      return readOnly ? CLOSE_IT : CLOSE_IT + "; with read_only=true it can be read meanwhile";
    }
    return readOnly
        ? CLOSE_IT
            + "; engines whose stores can be read beside a writer: "
            + engines.having(Set.of(Capability.CONCURRENT_READ_ONLY))
        : CLOSE_IT;
  }

  /** Takes a step of the opening; if it fails, nothing is left open. */
  private static void closedUnless(Store store, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      try {
        store.close();
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private OpenStore<?> start(
      String url,
      Engine engine,
      StoreConfig config,
      OpenOptions how,
      StoreDirectory.@Nullable Lock lock) {
    EngineStore<?> opened;
    try {
      opened = engine.open(config);
    } catch (Throwable e) {
      if (lock != null) {
        lock.close();
      }
      throw failed(engine, config, e);
    }
    Failures failures = failures(engine, config, opened::classify);
    OpenStore<?> store =
        new OpenStore<>(url, engine.info(), opened, config, failures, how, lock, engines);
    closedUnless(store, () -> require(url, engine.info(), store.capabilities(), how.required()));
    if (!how.readOnly()) {
      closedUnless(
          store, store::table); // from the start, so that no transaction meets it half-made
    }
    return store;
  }

  private static Failures failures(
      Engine engine, StoreConfig config, Function<Throwable, @Nullable Failure> classifier) {
    Path path = config.path();
    String place = path == null ? config.location() : path.toString();
    return new Failures(engine.info().name(), place, path, classifier);
  }

  private static RuntimeException failed(Engine engine, StoreConfig config, Throwable thrown) {
    return failures(engine, config, cause -> engine.classify(config, cause)).of(thrown);
  }

  private static boolean exists(Engine engine, StoreConfig config) {
    try {
      return engine.exists(config);
    } catch (Throwable e) {
      throw failed(engine, config, e);
    }
  }

  private static void destroy(Engine engine, StoreConfig config) {
    try {
      engine.destroy(config);
    } catch (Throwable e) {
      throw failed(engine, config, e);
    }
  }

  /** Whether there is a store of this engine; refuses whatever else is there. */
  private boolean isStore(String url, Engine engine, StoreConfig config, StoreDirectory directory) {
    Path place = config.directory();
    if (Files.exists(place) && !Files.isDirectory(place)) {
      throw new BadArgumentException(
          url
              + ": "
              + place
              + " is a file, and a store is a directory: "
              + elseAdopt(engine, config));
    }
    if (exists(engine, config)) {
      if (directory.isMarked()) {
        return true;
      }
      throw new BadArgumentException(
          url
              + ": KV Stadium did not make what is in "
              + place
              + ", which has no "
              + StoreDirectory.LOCK_FILE
              + ": "
              + elseAdopt(engine, config)
              + "; if it is a copy of a store that was made without that file, put an empty one there");
    }
    if (!directory.isEmpty()) {
      throw foreign(url, engine, config);
    }
    return false;
  }

  /** What to do with what other programs wrote. */
  private static String elseAdopt(Engine engine, StoreConfig config) {
    return engine.info().capabilities().contains(Capability.ADOPT)
            && exists(engine, config.adopted())
        ? "add adopt=true to the URL to open it as it is"
        : "use another directory";
  }

  private BadArgumentException foreign(String url, Engine engine, StoreConfig config) {
    for (Engine other : engines.loadable()) {
      if (!other.info().name().equals(engine.info().name())
          && other.info().onDisk()
          && exists(other, config)) {
        return new BadArgumentException(
            url
                + ": "
                + config.path()
                + " holds a store of engine "
                + other.info().name()
                + ": open it as "
                + StoreUrl.of(other.info().name(), config.location())
                + ", or use another directory");
      }
    }
    return new BadArgumentException(
        url
            + ": "
            + config.path()
            + " holds files that are not a store of engine "
            + engine.info().name()
            + ": use an empty directory, or one that does not exist yet");
  }

  /**
   * Refuses a new store whose files the engine did not put where the library looks for them. Only
   * odd names are read in two ways; elsewhere an engine may make its files later.
   */
  private static void refuseElsewhere(String url, Engine engine, StoreConfig config) {
    if (ODD.matcher(String.valueOf(config.path())).find() && !exists(engine, config)) {
      throw new BadArgumentException(
          url
              + ": engine "
              + engine.info().name()
              + " made its files elsewhere than in "
              + config.path()
              + ", since its native code reads that name differently: use a directory with a plainer"
              + " name");
    }
  }

  private void checkWishes(
      String url, EngineInfo info, OpenOptions how, StoreConfig config, StoreUrl parsed) {
    if (config.adopt()) {
      require(info, Capability.ADOPT);
      if (how.errorIfExists()) {
        throw new BadArgumentException(
            url + ": adopt=true opens what is there: errorIfExists cannot be combined with it");
      }
      if (!how.readOnly()) {
        throw new BadArgumentException(
            url
                + ": what another program wrote is only read here: leave read_only=false out, and copy"
                + " it to a store of its own to write");
      }
    }
    if (how.readOnly() && !config.adopt()) {
      require(info, Capability.READ_ONLY);
    }
    require(url, info, info.capabilities(), how.required());
  }

  private void require(EngineInfo info, Capability capability) {
    if (!info.capabilities().contains(capability)) {
      throw unsupported(info, capability, engines);
    }
  }

  /**
   * Refuses what lacks something that the caller requires.
   *
   * @param present what the engine or the open store has
   */
  private void require(
      String url, EngineInfo info, Set<Capability> present, Set<Capability> required) {
    Set<Capability> missing = EnumSet.noneOf(Capability.class);
    missing.addAll(required);
    missing.removeAll(present);
    if (missing.isEmpty()) {
      return;
    }
    String what =
        missing.stream()
            .map(capability -> capability.description() + " (" + capability.word() + ")")
            .collect(Collectors.joining(", "));
    throw new UnsupportedException(
        info.capabilities().containsAll(missing)
            ? url
                + ": the caller requires "
                + what
                + ", which engine "
                + info.name()
                + " has with other options: see its list of options"
            : url
                + ": the caller requires what engine "
                + info.name()
                + " does not have: "
                + what
                + "; engines with all that is required: "
                + engines.having(required));
  }

  static UnsupportedException unsupported(EngineInfo info, Capability capability, Engines engines) {
    String message =
        "engine "
            + info.name()
            + " has no "
            + capability.description()
            + " ("
            + capability.word()
            + ")"
            + (loadsOnly(info, capability)
                ? ": its entries come by bulkLoad() only, which adds to and replaces those that are there"
                : "");
    return new UnsupportedException(
        info.capabilities().contains(capability)
            ? "this store was opened without "
                + capability.description()
                + ", which engine "
                + info.name()
                + " has with other options: see its list of options"
            : message + "; available with: " + engines.having(Set.of(capability)));
  }

  private static boolean loadsOnly(EngineInfo info, Capability missing) {
    return missing == Capability.WRITE && info.capabilities().contains(Capability.BULK_LOAD);
  }

  private static StoreConfig config(String url, StoreUrl parsed, Engine engine, boolean readOnly) {
    EngineInfo info = engine.info();
    Map<String, String> own = new LinkedHashMap<>(parsed.options());
    String level = own.remove(DURABILITY);
    own.keySet().removeAll(OWN);
    boolean adopt = says(parsed, ADOPT, url);
    Map<String, Map<String, String>> perTable = takePerTable(own, url, adopt);
    List<OptionSpec> tableSpecs =
        info.options().stream().filter(spec -> spec.scope() == OptionSpec.Scope.TABLE).toList();
    own.keySet().forEach(name -> refuseAlmostOurs(info, name));
    Options options = Options.of(info.name(), info.options(), own);
    Map<String, String> forAllTables = new LinkedHashMap<>(own);
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
        directory == null ? null : path(url, parsed, directory),
        durability(url, info, level),
        readOnly,
        options,
        name -> tables.getOrDefault(name, otherTables),
        adopt);
  }

  /** An option that the engine does not have, and that is nearest to one of the library's. */
  private static void refuseAlmostOurs(EngineInfo info, String name) {
    Set<String> all = new TreeSet<>(OWN);
    info.options().forEach(spec -> all.add(spec.name()));
    String hint = all.contains(name) ? "" : Nearest.hint(name, all);
    if (OWN.stream().anyMatch(own -> hint.contains("'" + own + "'"))) {
      throw new BadArgumentException("there is no option '" + name + "'" + hint);
    }
  }

  private static boolean says(StoreUrl parsed, String option, String url) {
    String word = parsed.options().getOrDefault(option, "false");
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new BadArgumentException(
              option + "=" + word + " in '" + url + "': write true or false");
    };
  }

  /** Takes out the options of single tables, which may have any name if other programs gave it. */
  private static Map<String, Map<String, String>> takePerTable(
      Map<String, String> options, String url, boolean anyName) {
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
                "'"
                    + name
                    + "' in '"
                    + url
                    + "' does not name an option of a table: write table.NAME.OPTION=VALUE");
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
  private static Durability durability(String url, EngineInfo info, @Nullable String word) {
    if (word == null) {
      DurabilityMapping usual = info.durability().get(Durability.CONSISTENT);
      if (usual != null) {
        return usual.effective();
      }
      if (losesWrites(info)) {
        throw new BadArgumentException(
            url
                + ": engine "
                + info.name()
                + " can lose what was written when the process ends without a close: add"
                + " durability=none to the URL to accept that, or use another engine");
      }
      return Durability.NONE;
    }
    DurabilityMapping level = info.durability().get(Durability.of(word));
    if (level == null) {
      String can =
          String.join(", ", info.durability().keySet().stream().map(Durability::word).toList());
      throw new UnsupportedException(
          url
              + ": engine "
              + info.name()
              + " cannot give durability "
              + word
              + "; it can give: "
              + can);
    }
    return level.effective();
  }

  /** Whether it keeps stores, but none that is as safe as the default level. */
  private static boolean losesWrites(EngineInfo info) {
    return info.capabilities().contains(Capability.PERSISTENT)
        && !info.durability().containsKey(Durability.CONSISTENT);
  }

  private static Path path(String url, StoreUrl parsed, String location) {
    if (location.isEmpty()) {
      throw new BadArgumentException("'" + url + "' names no directory: write engine:directory");
    }
    if (NO_DIRECTORY.matcher(location).matches()) {
      throw new BadArgumentException(
          "'"
              + url
              + "' does not name a directory: nothing replaces ~ or a variable in it, and file:, mem:"
              + " or :memory: belong to other URLs: write "
              + parsed.engine()
              + ":/an/absolute/path, or "
              + parsed.engine()
              + ":./"
              + location
              + " if the directory has that name"
              + (location.matches(":?mem.*") ? "; engine memory keeps nothing on disk" : ""));
    }
    if (AMPERSAND.matcher(location).matches()) {
      throw new BadArgumentException(
          "'"
              + url
              + "' has an option in its directory: options begin with ?, as in "
              + url.replaceFirst("&", "?"));
    }
    if (parsed.location().startsWith("//")) { // as a path it would be /d/x, which nobody means
      String place = parsed.location().replaceFirst("^/+", "");
      throw new BadArgumentException(
          "'"
              + url
              + "' has slashes that belong to URLs of servers: did you mean "
              + StoreUrl.of(parsed.engine(), place)
              + ", a directory below the working directory, or "
              + StoreUrl.of(parsed.engine(), "/" + place)
              + "?");
    }
    try {
      return Path.of(location);
    } catch (InvalidPathException e) {
      throw new BadArgumentException(
          "'" + location + "' is not a valid path: " + e.getMessage(), e);
    }
  }
}
