package io.kvstadium.bench.worker;

import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.spi.Engine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The languages that trials are to run in, with the engines of each. */
public final class Languages {
  private final Engines java;
  private final List<String> asked;
  private final Map<String, WorkerProgram> workers = new LinkedHashMap<>();
  private final Map<String, Engines> engines = new LinkedHashMap<>();

  /**
   * @param java the engines of this program
   * @param asked the languages, in the order in which reports show them
   * @param workers of those that are not Java
   */
  public Languages(Engines java, List<String> asked, List<WorkerProgram> workers) {
    this.java = java;
    this.asked = List.copyOf(asked);
    for (WorkerProgram each : workers) {
      this.workers.put(each.language(), each);
      engines.put(each.language(), each.engines());
    }
  }

  /** Java alone. */
  public static Languages java(Engines engines) {
    return new Languages(engines, List.of(Configuration.JAVA), List.of());
  }

  /** The engines of this program. */
  public Engines java() {
    return java;
  }

  /** In the order in which reports show them. */
  public List<String> asked() {
    return asked;
  }

  /** By their language. */
  public Map<String, WorkerProgram> workers() {
    return workers;
  }

  /**
   * The engines of a language.
   *
   * @throws BadArgumentException if there is no worker of it
   */
  public Engines engines(String language) {
    Engines own = language.equals(Configuration.JAVA) ? java : engines.get(language);
    if (own == null) {
      throw new BadArgumentException(
          "no trials can run in " + language + " here: name it by --language");
    }
    return own;
  }

  /** The engine of a configuration, in its language. */
  public Engine engine(Configuration configuration) {
    return engines(configuration.language()).engine(configuration.engine());
  }

  /** What a reader of the report must know of them. */
  public List<Finding> findings() {
    return workers.values().stream()
        .map(each ->
            new Finding(
                Finding.Level.NOTE,
                "environment",
                "trials in %s ran in %s (worker %s)"
                    .formatted(each.language(), each.hello().version(), each.hello().worker())))
        .toList();
  }
}
