package io.kvstadium.store;

import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Nearest;
import io.kvstadium.store.internal.open.EngineFinder;
import io.kvstadium.store.internal.open.Opener;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The engines that can be used, by name. Thread-safe. An engine in a folder is loaded when it is
 * asked for; one that is never asked for costs nothing.
 */
public final class Engines {
  /** How many class path errors are tolerated; a {@link ServiceLoader} may repeat one forever. */
  private static final int MAX_BROKEN = 100;

  private final Map<String, Plugin> plugins;

  /** Why engines on the class path cannot be loaded; none of them hides another one. */
  private final List<String> broken;

  private Engines(Map<String, Plugin> plugins, List<String> broken) {
    this.plugins = Collections.unmodifiableMap(new TreeMap<>(plugins));
    this.broken = List.copyOf(broken);
  }

  /**
   * Returns the engines on the class path of the calling thread's context, found by {@link
   * ServiceLoader}.
   */
  @SuppressWarnings("ReferenceEquality") // a class loader is its identity
  public static Engines installed() {
    ClassLoader own = Engines.class.getClassLoader();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null || context == own ? OnOwnClassPath.ENGINES : on(context);
  }

  /** Returns exactly these engines. */
  public static Engines of(Collection<Engine> engines) {
    return new Engines(
        plugins(Arguments.given("Engines.of", "collection of engines", engines)), List.of());
  }

  /**
   * Returns the engines in the subfolders of the given folders. A subfolder has the name of an
   * engine and holds its jars; it gets its own class loader, so that engines may ship clashing
   * classes. An engine's classes are loaded only from there and from the library's own class path.
   *
   * @param folders the folders in order of precedence: if several have a subfolder of the same
   *     name, the engine gets the jars of all of them, in this order
   * @throws StoreIoException if a folder cannot be read
   */
  public static Engines inFolders(List<Path> folders) {
    Map<String, List<URL>> jars = new TreeMap<>();
    for (Path folder : Arguments.given("Engines.inFolders", "list of folders", folders)) {
      for (Path sub : list(folder)) {
        List<URL> found =
            list(sub).stream()
                .filter(jar -> jar.toString().endsWith(".jar"))
                .map(Engines::url)
                .toList();
        if (!found.isEmpty()) {
          jars.computeIfAbsent(sub.getFileName().toString(), _ -> new ArrayList<>()).addAll(found);
        }
      }
    }
    Map<String, Plugin> plugins = new TreeMap<>();
    jars.forEach((name, urls) -> plugins.put(name, new Plugin(() -> load(name, urls))));
    return new Engines(plugins, List.of());
  }

  /** The names of all engines, in order; loads none of them. */
  public Set<String> names() {
    return plugins.keySet();
  }

  /** All engines, in the order of their names; loads them all. */
  public Collection<Engine> all() {
    return plugins.values().stream().map(plugin -> plugin.engine()).toList();
  }

  /**
   * Returns the engine with this name.
   *
   * @throws BadArgumentException if there is none (the message lists what there is), or if its
   *     folder does not hold the engine that it is named after
   */
  public Engine engine(String name) {
    Plugin plugin = plugins.get(Arguments.given("Engines.engine", "name", name));
    if (plugin == null) {
      String hint = Nearest.hint(name, plugins.keySet());
      String add =
          "; if KV Stadium has it, add kv-stadium-engine-%s to the class path".formatted(name);
      String lacking =
          "; on the class path, but without a library that it needs, whose jar must be added: ";
      throw new BadArgumentException(
          "unknown engine '%s'%s; there are: %s%s%s"
              .formatted(
                  name,
                  hint,
                  plugins.isEmpty() ? "none" : String.join(", ", plugins.keySet()),
                  hint.isEmpty() ? add : "",
                  broken.isEmpty() ? "" : lacking + String.join("; ", broken)));
    }
    return plugin.engine();
  }

  /**
   * Checks what can be checked in a URL without touching the store: its form, the engine, the
   * options and whether they are compatible.
   *
   * @throws BadArgumentException if something is wrong with it
   * @throws UnsupportedException if the engine cannot do what it asks for
   */
  public void check(String url) {
    opener().check(url);
  }

  /** Opens the store that a URL names. */
  public Store open(String url, OpenOptions options) {
    return opener().open(url, options);
  }

  /**
   * Returns what the engine of a URL would be given to open its store, for tools that use an engine
   * directly. Nothing is opened, created or locked.
   *
   * @throws BadArgumentException if something is wrong with the URL
   * @throws UnsupportedException if the engine cannot do what it asks for
   */
  public StoreConfig config(String url) {
    return opener().config(url);
  }

  /**
   * Removes the store that a URL names, with all its files; does nothing if there is none.
   *
   * @throws BadArgumentException if the place holds something else
   * @throws LockedException if the store is open
   */
  public void destroy(String url) {
    opener().destroy(url);
  }

  private Opener opener() {
    return new Opener(new EngineFinder(names(), this::engine));
  }

  private static Engines on(ClassLoader loader) {
    List<Engine> engines = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    Iterator<Engine> found = ServiceLoader.load(Engine.class, loader).iterator();
    while (broken.size() < MAX_BROKEN) {
      try {
        if (!found.hasNext()) {
          break;
        }
        engines.add(found.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        broken.add(e.toString());
      }
    }
    return new Engines(plugins(engines), broken);
  }

  private static Map<String, Plugin> plugins(Collection<Engine> engines) {
    Map<String, Plugin> plugins = new TreeMap<>();
    for (Engine engine : engines) {
      plugins.putIfAbsent(engine.info().name(), new Plugin(() -> engine));
    }
    return plugins;
  }

  private static Engine load(String name, List<URL> jars) {
    ClassLoader loader =
        new URLClassLoader(
            "engine " + name, jars.toArray(URL[]::new), Engines.class.getClassLoader());
    try {
      List<Engine> engines =
          ServiceLoader.load(Engine.class, loader).stream()
              .map(ServiceLoader.Provider::get)
              .toList();
      for (Engine engine : engines) {
        if (engine.info().name().equals(name)) {
          return engine;
        }
      }
      throw new BadArgumentException(
          "the folder of engine %s holds %s (jars: %s)"
              .formatted(
                  name,
                  engines.isEmpty()
                      ? "no engine: put the jar of its adapter, kv-stadium-engine-NAME.jar, there too"
                      : "engine "
                          + engines.getFirst().info().name()
                          + ": give the folder that name",
                  jars.stream().map(URL::getPath).collect(Collectors.joining(", "))));
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new BadArgumentException(
          "engine " + name + " cannot be loaded from its folder (" + e + "): see its jars " + jars,
          e);
    }
  }

  private static List<Path> list(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new StoreIoException("cannot list the engines in " + folder + ": " + e.getMessage(), e);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("a file has a URL: " + jar, e);
    }
  }

  /** Loads once, when first asked. */
  private static final class Plugin {
    private final Supplier<Engine> loader;
    private volatile @Nullable Engine engine;

    Plugin(Supplier<Engine> loader) {
      this.loader = loader;
    }

    Engine engine() {
      Engine known = engine;
      return known == null ? load() : known;
    }

    private synchronized Engine load() {
      Engine known = engine;
      if (known == null) {
        known = loader.get();
        engine = known;
      }
      return known;
    }
  }

  /** Loaded once, when first asked for. */
  private static final class OnOwnClassPath {
    static final Engines ENGINES = on(Engines.class.getClassLoader());
  }
}
