package io.kvstadium.bench.player;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialEngines;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The languages that trials run in, with the engines of each. */
public final class Languages {
  private final Engines java;
  private final List<String> asked;
  private final Map<String, PlayerProgram> players = new LinkedHashMap<>();
  private final Map<String, Engines> engines = new LinkedHashMap<>();
  private final Map<String, Engines> earlier = new ConcurrentHashMap<>(); // by their folders

  /**
   * @param java the engines of this program
   * @param asked the requested languages, in the order in which reports show them
   * @param players of languages other than Java
   */
  public Languages(Engines java, List<String> asked, List<PlayerProgram> players) {
    this.java = java;
    this.asked = List.copyOf(asked);
    for (PlayerProgram each : players) {
      this.players.put(each.language(), each);
      engines.put(each.language(), each.engines());
    }
  }

  /** Returns only Java. */
  public static Languages java(Engines engines) {
    return new Languages(engines, List.of(Configuration.JAVA), List.of());
  }

  /** The engines of this program. */
  public Engines java() {
    return java;
  }

  /** Returns the requested languages, in the order in which reports show them. */
  public List<String> asked() {
    return asked;
  }

  public Map<String, PlayerProgram> players() {
    return players;
  }

  /**
   * The engines of a language.
   *
   * @throws BadArgumentException if there is no player for it
   */
  public Engines engines(String language) {
    Engines own = language.equals(Configuration.JAVA) ? java : engines.get(language);
    if (own == null) {
      throw new BadArgumentException(
          "no trials can run in " + language + " here: name it with --language");
    }
    return own;
  }

  /**
   * Refuses a name that is an engine's in none of the languages.
   *
   * @throws BadArgumentException that names those of the first language
   */
  public void requireEngine(String name) {
    if (asked.stream().noneMatch(each -> engines(each).names().contains(name))) {
      Engine _ = engines(asked.getFirst()).engine(name);
    }
  }

  /** What a language's player can do, besides playing one trace; see {@link Message.Hello}. */
  public Set<String> plays(String language) {
    PlayerProgram player = players.get(language);
    return player == null ? Message.Hello.ALL : player.hello().plays();
  }

  /** The engine of a configuration, in its language and version. */
  public Engine engine(Configuration configuration) {
    String folders = configuration.folders();
    Engines own =
        folders == null
            ? engines(configuration.language())
            : earlier.computeIfAbsent(folders, TrialEngines::in);
    return own.engine(configuration.engine());
  }

  /** Returns what a reader of the report must know about them. */
  public List<Finding> findings() {
    return players.values().stream()
        .map(each ->
            new Finding(
                Finding.Level.NOTE,
                "environment",
                "trials in %s ran in %s".formatted(each.language(), each.hello().version())))
        .toList();
  }
}
