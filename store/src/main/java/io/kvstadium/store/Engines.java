package io.kvstadium.store;

import io.kvstadium.store.spi.Baseline;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.Nearest;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The engines that can be used, by name. Immutable and safe for all threads. */
public final class Engines {
  private final Map<String, Engine> engines;
  private final Map<String, Baseline> baselines;

  private Engines(Collection<Engine> engines, Collection<Baseline> baselines) {
    Map<String, Engine> byName = new TreeMap<>();
    engines.forEach(engine -> byName.putIfAbsent(engine.info().name(), engine));
    this.engines = Collections.unmodifiableMap(byName);
    Map<String, Baseline> byEngine = new TreeMap<>();
    baselines.forEach(baseline -> byEngine.putIfAbsent(baseline.engine(), baseline));
    this.baselines = Collections.unmodifiableMap(byEngine);
  }

  /**
   * Those on the class path of the calling thread's context, found through {@link ServiceLoader}.
   */
  public static Engines installed() {
    ClassLoader own = Engines.class.getClassLoader();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null || context == own ? OnOwnClassPath.ENGINES : from(List.of(context));
  }

  /** Exactly these. */
  public static Engines of(Collection<Engine> engines) {
    return new Engines(engines, List.of());
  }

  /**
   * Those in the sub-folders of {@code folder}, each of which holds the jars of one engine and gets
   * a class loader of its own, so that engines may ship clashing classes. No class of an engine is
   * loaded from anywhere else except from the library's own class path.
   *
   * @throws StoreIoException if the folder cannot be read
   */
  public static Engines inFolder(Path folder) {
    List<ClassLoader> loaders = new ArrayList<>();
    for (Path sub : list(folder)) {
      List<URL> jars =
          list(sub).stream()
              .filter(jar -> jar.toString().endsWith(".jar"))
              .map(Engines::url)
              .toList();
      if (!jars.isEmpty()) {
        loaders.add(
            new URLClassLoader(
                "engine " + sub.getFileName(),
                jars.toArray(URL[]::new),
                Engines.class.getClassLoader()));
      }
    }
    return from(loaders);
  }

  /** Every engine, in the order of their names. */
  public Collection<Engine> all() {
    return engines.values();
  }

  /**
   * The engine of this name.
   *
   * @throws BadArgumentException if there is none, with what there is
   */
  public Engine engine(String name) {
    Engine engine = engines.get(name);
    if (engine == null) {
      throw new BadArgumentException(
          "unknown engine '"
              + name
              + "'"
              + Nearest.hint(name, engines.keySet())
              + "; there are: "
              + (engines.isEmpty()
                  ? "none (add an engine such as kv-stadium-engine-rocksdb to the class path)"
                  : String.join(", ", engines.keySet())));
    }
    return engine;
  }

  /** The engine of this name used by hand, or {@code null} if it comes without. */
  public @Nullable Baseline baseline(String name) {
    return baselines.get(name);
  }

  /** Opens the store that a URL names. */
  public Store open(String url, OpenOptions options) {
    return new Opener(this).open(url, options);
  }

  /**
   * Opens the store that a URL names by the engine's own API, for comparisons; see {@link
   * Baseline}. It is made if it is not there, and neither locked nor guarded.
   *
   * @throws UnsupportedException if the engine comes without
   */
  public Baseline.Handle openBaseline(String url) {
    return new Opener(this).openBaseline(url);
  }

  /** Removes the store that a URL names, with all its files; does nothing if there is none. */
  public void destroy(String url) {
    new Opener(this).destroy(url);
  }

  /** The names of the engines that have a capability, for messages. */
  String having(Capability capability) {
    String names =
        engines.values().stream()
            .map(Engine::info)
            .filter(info -> info.capabilities().contains(capability))
            .map(info -> info.name())
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "no installed engine" : names;
  }

  private static Engines from(List<ClassLoader> loaders) {
    List<Engine> engines = new ArrayList<>();
    List<Baseline> baselines = new ArrayList<>();
    for (ClassLoader loader : loaders) {
      ServiceLoader.load(Engine.class, loader).forEach(engines::add);
      ServiceLoader.load(Baseline.class, loader).forEach(baselines::add);
    }
    return new Engines(engines, baselines);
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

  /** Loaded once, when first asked for. */
  private static final class OnOwnClassPath {
    static final Engines ENGINES = from(List.of(Engines.class.getClassLoader()));
  }
}
