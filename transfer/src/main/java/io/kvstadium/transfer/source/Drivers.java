package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds JDBC drivers where the engines are. */
final class Drivers {
  /** The engine that brings a driver, by what follows {@code jdbc:} in URLs. */
  private static final Map<String, String> BROUGHT =
      Map.of("sqlite", "sqlite", "h2", "h2", "mysql", "mysql", "postgresql", "postgresql");

  private Drivers() {}

  /**
   * Returns the first driver that accepts a URL, on the class path or in the folder of an engine.
   *
   * @throws BadArgumentException if there is none, saying how to get one
   */
  static Driver of(String url, Engines engines) {
    String kind = kind(url);
    Set<ClassLoader> looked = new LinkedHashSet<>();
    Driver driver = in(Drivers.class.getClassLoader(), url, looked);
    String engine = BROUGHT.get(kind);
    if (driver == null && engine != null && engines.names().contains(engine)) {
      driver = in(engines.engine(engine).getClass().getClassLoader(), url, looked);
    }
    for (String name : driver == null ? engines.names() : Set.<String>of()) {
      driver = driver == null ? in(loader(name, engines), url, looked) : driver;
    }
    if (driver == null) {
      throw new BadArgumentException(
          "there is no JDBC driver for jdbc:"
              + kind
              + (engine == null
                  ? ": put its jar into a folder memory below one that you name with --engine-path,"
                      + " such as drivers/memory/driver.jar and --engine-path drivers"
                  : ": it comes with the engine " + engine + ", which is not installed"));
    }
    return driver;
  }

  /** Returns the word after {@code jdbc:}. */
  static String kind(String url) {
    return url.split(":", 3)[1];
  }

  private static @Nullable ClassLoader loader(String engine, Engines engines) {
    try {
      return engines.engine(engine).getClass().getClassLoader();
    } catch (BadArgumentException e) {
      return null; // an engine that cannot be loaded is another matter
    }
  }

  private static @Nullable Driver in(
      @Nullable ClassLoader loader, String url, Set<ClassLoader> looked) {
    if (loader == null || !looked.add(loader)) {
      return null;
    }
    try {
      for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
        if (driver.acceptsURL(url)) {
          return driver;
        }
      }
      return null;
    } catch (SQLException | ServiceConfigurationError e) {
      throw new BadArgumentException("a JDBC driver in " + loader + " does not work: " + e, e);
    }
  }
}
