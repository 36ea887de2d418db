package io.kvstadium.cli.engines;

import io.kvstadium.bench.player.BuiltPlayer;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.player.PythonSetup;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.Quoted;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.internal.Nearest;
import io.kvstadium.torture.evidence.Proofs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Players that come with this program, and others. */
public final class PlayerOptions implements OtherLanguages {
  public static final String PYTHON = "python";

  private static final Set<String> USUAL_FAULTS = Set.of("kill", "power");

  @Option(
      names = "--python",
      paramLabel = "PATH",
      description =
          "For Python: an interpreter, or the folder of an environment, that has the"
              + " bindings (default: python3).")
  private @Nullable Path python;

  /** What {@code --python} says. */
  public @Nullable Path python() {
    return python;
  }

  @Override
  public Map<String, List<String>> known() {
    Map<String, List<String>> known = new TreeMap<>();
    known.put(PYTHON, List.of("lmdb", "rocksdb", "speedb", "sqlite"));
    BuiltPlayer.ALL.forEach(each -> known.put(each.language(), each.engines()));
    return known;
  }

  /** The language of an engine: Java, unless only a player has it. */
  public String languageOf(Engines java, String engine) {
    return java.names().contains(engine)
        ? Configuration.JAVA
        : known().entrySet().stream()
            .filter(player -> player.getValue().contains(engine))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(Configuration.JAVA);
  }

  @Override
  public Engines engines(String language) {
    return program(language).engines();
  }

  /**
   * A player without the levels that a kill or a power cut has broken. Others stay: that names of
   * files which were never synced are gone happens on few file systems. So do all of a store that
   * has no other level: reports warn of it.
   */
  public static PlayerProgram withoutBroken(PlayerProgram player) {
    Engines engines = player.engines();
    return player.with(declared -> {
      EngineInfo info = engines.engine(declared.name()).info();
      Set<String> broken =
          declared.durability().keySet().stream()
              .filter(level -> isBroken(info, Durability.of(level)))
              .collect(Collectors.toSet());
      return broken.size() == declared.durability().size() ? declared : declared.without(broken);
    });
  }

  private static boolean isBroken(EngineInfo info, Durability level) {
    DurabilityMapping mapping = Objects.requireNonNull(info.durability().get(level));
    return !Collections.disjoint(USUAL_FAULTS, Proofs.committed().breaking(info, mapping));
  }

  /**
   * Starts the player that {@code --language} names.
   *
   * @param text a language, or a language and a command: {@code go=COMMAND}
   */
  public PlayerProgram program(String text) {
    String[] parts = text.split("=", 2);
    if (parts.length == 2) {
      return program(parts[0], command(parts[1].strip()));
    }
    if (!known().containsKey(text)) {
      List<String> all = known().keySet().stream().sorted().toList();
      throw new BadArgumentException(
          "--language %s: there is no player for it%s; there are java, %s, or %s=COMMAND"
              .formatted(text, Nearest.hint(text, all), String.join(", ", all), text));
    }
    return program(List.of(text));
  }

  /** Starts the player of a language with a command. */
  public PlayerProgram program(String language, List<String> command) {
    PlayerProgram player = PlayerProgram.of(command);
    if (!player.language().equals(language)) {
      throw new BadArgumentException(
          "--language %s: that player says that it is for %s"
              .formatted(language, player.language()));
    }
    return player;
  }

  /** The words of a command; a program's name may have blanks. */
  public static List<String> command(String text) {
    return Files.isExecutable(Path.of(text)) ? List.of(text) : Quoted.words(text);
  }

  /**
   * Starts a player.
   *
   * @param command its command, or a language alone for the one that comes with this program
   */
  public PlayerProgram program(List<String> command) {
    String name = command.getFirst();
    if (command.size() == 1 && name.equals(PYTHON)) {
      return PythonSetup.player(python);
    }
    for (BuiltPlayer each : BuiltPlayer.ALL) {
      if (command.size() == 1 && name.equals(each.language())) {
        return each.player(text -> Lines.wrap("", text).forEach(System.err::println));
      }
    }
    return PlayerProgram.of(command);
  }
}
