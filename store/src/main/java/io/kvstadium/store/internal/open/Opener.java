package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Recording;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Nearest;
import io.kvstadium.store.internal.guard.Failures;
import io.kvstadium.store.internal.move.MoveMark;
import io.kvstadium.store.record.RecorderProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns a URL into an open store: all checks that can be made before the engine is asked. */
public final class Opener {
  /** What native code may read differently in a path. */
  private static final Pattern ODD = Pattern.compile("[^ -~]|\\\\");

  private static final String CLOSE_IT = "close it there, or use another directory";

  private final EngineFinder engines;
  private final Requirements requirements;
  private final OpenMoves moves = new OpenMoves(this);

  public Opener(EngineFinder engines) {
    this.engines = engines;
    this.requirements = new Requirements(engines);
  }

  /** What is to be opened, and how. */
  record Request(
      UrlOptions urlOptions,
      Engine engine,
      OpenOptions options,
      StoreConfig config,
      Recording.@Nullable Options record) {
    String url() {
      return urlOptions.url();
    }

    EngineInfo info() {
      return engine.info();
    }

    /** The same for a store that is elsewhere now. */
    Request with(Engine present, StoreConfig presentConfig) {
      return new Request(urlOptions, present, options, presentConfig, record);
    }

    boolean exists() {
      return Opener.exists(engine, config);
    }

    BadArgumentException refused(String text, @Nullable Object... arguments) {
      return new BadArgumentException(url() + ": " + text.formatted(arguments));
    }

    String unlessCreated() {
      return options.readOnly() ? "" : ", and createIfMissing=false forbids creating one";
    }
  }

  Request request(String url, OpenOptions given) {
    UrlOptions urlOptions = new UrlOptions(url);
    OpenOptions options = given.readOnly(given.readOnly() || urlOptions.readOnly());
    Engine engine = engines.engine(urlOptions.engine());
    StoreConfig config = urlOptions.config(engine, options.readOnly());
    requirements.check(url, engine.info(), options, config.adopt());
    engine.check(config);
    Recording.Options inUrl = urlOptions.recording(RecorderProvider.environment());
    return new Request(
        urlOptions, engine, options, config, options.record() == null ? inUrl : options.record());
  }

  public void check(String url) {
    request(url, OpenOptions.DEFAULT);
  }

  public StoreConfig config(String url) {
    UrlOptions urlOptions = new UrlOptions(url);
    Engine engine = engines.engine(urlOptions.engine());
    StoreConfig config = urlOptions.config(engine, urlOptions.readOnly());
    engine.check(config);
    return config;
  }

  public Store open(String url, OpenOptions options) {
    Request request = request(url, Arguments.given(url, "OpenOptions", options));
    Engine engine = request.engine;
    StoreConfig config = request.config;
    String unavailable = engine.unavailable(config);
    if (unavailable != null) {
      throw new UnsupportedException(
          "engine " + request.info().name() + " cannot be used here: " + unavailable);
    }
    Set<Capability> required = request.options.required();
    if (config.path() != null && !required.isEmpty()) { // before anything is made there
      requirements.require(
          url, request.info(), Capability.all(engine.capabilities(config)), required);
    }
    Recording.Options record = request.record;
    if (record != null) { // before anything is made
      if (config.path() != null) {
        StoreFiles.checkApart(url, config.directory(), record.file());
      }
      StoreRecording.check(url, record);
    }
    Duration period = request.urlOptions.syncEvery();
    OpenStore<?> store = moves.isMove(request) ? moves.open(request) : open(request);
    if (period != null) {
      store.syncEvery(period);
    }
    if (record != null) {
      closedUnless(store, () -> store.record(record));
    }
    return store;
  }

  /** Opens a store that does not move. */
  OpenStore<?> open(Request request) {
    StoreConfig config = request.config;
    return config.path() == null
        ? openElsewhere(request)
        : config.adopt() ? openAdopted(request) : openDirectory(request);
  }

  public void destroy(String url) {
    UrlOptions urlOptions = new UrlOptions(url);
    Engine engine = engines.engine(urlOptions.engine());
    StoreConfig config = urlOptions.atAnyLevel(engine.info()).config(engine, false);
    if (config.adopt()) {
      throw new BadArgumentException(
          url + ": a store that another program wrote is not removed: remove its files yourself");
    }
    if (config.path() == null) {
      destroy(engine, config);
      return;
    }
    OpenMoves.checkDestroy(url, config.directory());
    StoreDirectory directory = new StoreDirectory(config.directory(), url);
    if (isStore(new Request(urlOptions, engine, OpenOptions.DEFAULT, config, null), directory)) {
      try (DirectoryLock _ =
          directory.lock(DirectoryLock.Use.ALONE, () -> CLOSE_IT)) { // refuses what is open
        destroy(engine, config);
        directory.remove();
      }
    }
  }

  /** Opens a store that is not a directory; asks whether it exists only if it matters. */
  private OpenStore<?> openElsewhere(Request request) {
    OpenOptions options = request.options;
    if (options.errorIfExists() && request.exists()) {
      throw request.refused("there is such a store already, and errorIfExists is set");
    }
    if ((options.readOnly() || !options.createIfMissing()) && !request.exists()) {
      throw request.refused("there is no such store%s", request.unlessCreated());
    }
    return start(request, engine(request, null), null);
  }

  /**
   * What was opened in a directory, without the library's store.
   *
   * @param unfinished whether {@link #made} has to follow
   */
  record Part(
      Request request,
      EngineStore<?> store,
      StoreDirectory directory,
      @Nullable DirectoryLock lock,
      boolean unfinished) {
    Failures failures() {
      return Opener.failures(request.engine, request.config, store::classify);
    }

    /** The store is there, with its tables. */
    void made() {
      if (unfinished) {
        refuseElsewhere(request);
        directory.made();
      }
    }
  }

  /** Makes, locks and opens a directory. */
  Part part(Request request) {
    OpenOptions options = request.options;
    StoreConfig config = request.config;
    StoreDirectory directory = new StoreDirectory(config.directory(), request.url());
    boolean exists = isStore(request, directory);
    if (exists && options.errorIfExists()) {
      throw request.refused(
          "there is a store in %s already, and errorIfExists is set", config.path());
    }
    if (!exists && (options.readOnly() || !options.createIfMissing())) {
      throw request.refused(
          "there is no %s store in %s%s",
          request.info().name(), config.path(), request.unlessCreated());
    }
    boolean unfinished = !options.readOnly() && (!exists || directory.isUnfinished());
    if (unfinished) {
      directory.create();
    }
    DirectoryLock lock = directory.lock(use(request), () -> advice(request));
    try {
      refuseIncomplete(request, config.directory());
      if (!exists) {
        directory.begin();
      }
    } catch (RuntimeException e) {
      if (lock != null) {
        lock.close();
      }
      throw e;
    }
    return new Part(request, engine(request, lock), directory, lock, unfinished);
  }

  private OpenStore<?> openDirectory(Request request) {
    Part part = part(request);
    OpenStore<?> store = start(request, part.store, part.lock);
    closedUnless(
        store,
        () -> {
          if (MoveMark.read(request.config.directory()) != null) { // before it was locked
            throw new LockedException(
                request.url() + ": another process has just begun to move it: open it again");
          }
          part.made();
        });
    return store;
  }

  private static void refuseIncomplete(Request request, Path directory) {
    if (!request.urlOptions.flag(UrlOptions.INCOMPLETE)) {
      new StoreDirectory(directory, request.url()).refuseIncomplete();
    }
  }

  /**
   * Opens what another program wrote. It has at most the engine's own locks; within this process it
   * is claimed.
   */
  private OpenStore<?> openAdopted(Request request) {
    Path place = request.config.directory();
    if (!request.exists()) {
      throw request.refused(
          "there is no %s store at %s to adopt: name the directory or the file that its program gave it",
          request.info().name(), place);
    }
    Path directory = Files.isDirectory(place) ? place : place.toAbsolutePath().getParent();
    if (directory != null) {
      refuseIncomplete(request, directory);
    }
    DirectoryLock lock = new StoreDirectory(place, request.url()).claim();
    OpenStore<?> store = start(request, engine(request, lock), lock);
    closedUnless(store, () -> checkTables(request, store));
    return store;
  }

  /** Refuses options of tables that do not exist: a typo would go unnoticed. */
  private static void checkTables(Request request, Store store) {
    Set<String> present = new TreeSet<>(store.tables());
    present.addAll(Stores.unreadable(store).keySet());
    for (String table : request.urlOptions.tables()) {
      if (!present.contains(table)) {
        throw request.refused(
            "there is no table '%s'%s; there are: %s",
            table, Nearest.hint(table, present), String.join(", ", present));
      }
    }
  }

  /** What to lock the directory for. */
  private static DirectoryLock.Use use(Request request) {
    boolean readOnly = request.options.readOnly();
    if (!request.info().capabilities().contains(Capability.CONCURRENT_READ_ONLY)) {
      return readOnly ? DirectoryLock.Use.READ : DirectoryLock.Use.ALONE;
    }
    return readOnly ? DirectoryLock.Use.READ_BESIDE_WRITER : DirectoryLock.Use.WRITE_BESIDE_READERS;
  }

  /** What to do about a store that another process has open. */
  private String advice(Request request) {
    boolean beside = request.info().capabilities().contains(Capability.CONCURRENT_READ_ONLY);
    if (request.options.readOnly() == beside) {
      return CLOSE_IT;
    }
    return CLOSE_IT
        + (beside
            ? "; with read_only=true it can be read meanwhile"
            : "; engines whose stores can be read beside a writer: "
                + requirements.having(Set.of(Capability.CONCURRENT_READ_ONLY)));
  }

  /** Takes a step of the opening; if it fails, nothing is left open. */
  static void closedUnless(Store store, Runnable step) {
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

  /** Opens the engine; if that fails, the lock is closed. */
  private static EngineStore<?> engine(Request request, @Nullable DirectoryLock lock) {
    try {
      return request.engine.open(request.config);
    } catch (Throwable e) {
      if (lock != null) {
        lock.close();
      }
      throw failed(request.engine, request.config, e);
    }
  }

  private OpenStore<?> start(Request request, EngineStore<?> opened, @Nullable DirectoryLock lock) {
    return start(request, opened, lock, null);
  }

  OpenStore<?> start(
      Request request, EngineStore<?> opened, @Nullable DirectoryLock lock, @Nullable Move move) {
    Engine engine = request.engine;
    StoreConfig config = request.config;
    OpenStore<?> store =
        new OpenStore<>(
            request.url(),
            engine.info(),
            engine.capabilities(config),
            opened,
            config,
            failures(engine, config, opened::classify),
            request.options,
            lock,
            requirements,
            move);
    closedUnless(
        store,
        () ->
            requirements.require(
                request.url(), engine.info(), store.capabilities(), request.options.required()));
    if (!request.options.readOnly()) {
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
  private boolean isStore(Request request, StoreDirectory directory) {
    Path place = request.config.directory();
    if (Files.exists(place) && !Files.isDirectory(place)) {
      throw request.refused(
          "%s is a file, and a store is a directory: %s", place, elseAdopt(request));
    }
    if (request.exists()) {
      if (directory.isMarked()) {
        return true;
      }
      throw request.refused(
          "KV Stadium did not make what is in %s, which has no %s: %s; if it is a copy of a store that was made without that file, put an empty one there",
          place, StoreDirectory.LOCK_FILE, elseAdopt(request));
    }
    if (!directory.isEmpty()) {
      throw foreign(request);
    }
    return false;
  }

  /** What to do with what other programs wrote. */
  private static String elseAdopt(Request request) {
    return request.info().capabilities().contains(Capability.ADOPT)
            && exists(request.engine, request.config.adopted())
        ? "add adopt=true to the URL to open it as it is"
        : "use another directory";
  }

  private BadArgumentException foreign(Request request) {
    StoreConfig config = request.config;
    String name = request.info().name();
    for (Engine other : requirements.loadable()) {
      String found = other.info().name();
      if (!found.equals(name) && other.info().onDisk() && exists(other, config)) {
        return request.refused(
            "%s holds a store of engine %s: open it as %s, or use another directory",
            config.path(), found, StoreUrl.of(found, config.location()));
      }
    }
    return request.refused(
        "%s holds files that are not a store of engine %s: use an empty directory, or one that does not exist yet",
        config.path(), name);
  }

  /**
   * Refuses a new store whose files the engine did not put where the library looks for them. Only
   * odd names are read in two ways; elsewhere an engine may make its files later.
   */
  private static void refuseElsewhere(Request request) {
    Path path = request.config.path();
    if (ODD.matcher(String.valueOf(path)).find() && !request.exists()) {
      throw request.refused(
          "engine %s made its files elsewhere than in %s, since its native code reads that name differently: use a directory with a plainer name",
          request.info().name(), path);
    }
  }
}
