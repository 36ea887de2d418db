package io.kvstadium.cli.bench;

import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.player.PythonSetup;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.cli.io.ValueList;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.internal.Nearest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The languages that trials run in. */
final class LanguageOptions {
  private static final String PYTHON = "python";
  private static final List<String> KNOWN = List.of(Configuration.JAVA, PYTHON);

  @Option(
      names = "--language",
      paramLabel = "NAME,…",
      description =
          "The language of the trials: java, python, or both, as java,python (default: java); or"
              + " NAME=COMMAND, which starts a player of traces in another one.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--python",
      paramLabel = "PATH",
      description =
          "With --language python: an interpreter, or the folder of an environment, that has the"
              + " bindings (default: python3).")
  private @Nullable Path python;

  /** The languages that were asked for. */
  Languages languages(Engines java) {
    Map<String, String> commands = commands();
    for (String name : commands.keySet()) {
      if (!KNOWN.contains(name) && commands.getOrDefault(name, "").isEmpty()) {
        throw new BadArgumentException(
            "--language "
                + name
                + ": trials cannot run in that"
                + Nearest.hint(name, KNOWN)
                + "; give one of "
                + String.join(", ", KNOWN)
                + ", or "
                + name
                + "=COMMAND");
      }
    }
    if (python != null && !commands.containsKey(PYTHON)) {
      throw new BadArgumentException("--python is for trials in Python: add --language python");
    }
    return of(
        java,
        commands.isEmpty() ? List.of(Configuration.JAVA) : List.copyOf(commands.keySet()),
        commands);
  }

  /** The languages of a run that is resumed. */
  Languages languages(Engines java, List<String> before) {
    return of(java, before, commands());
  }

  /** The command of each, which is empty if it needs none. */
  private Map<String, String> commands() {
    Map<String, String> commands = new LinkedHashMap<>();
    for (String each : ValueList.of("--language", names)) {
      String[] parts = each.split("=", 2);
      commands.put(parts[0], parts.length == 1 ? "" : parts[1].strip());
    }
    return commands;
  }

  private Languages of(Engines java, List<String> asked, Map<String, String> commands) {
    List<PlayerProgram> players = new ArrayList<>();
    for (String name : asked) {
      String command = commands.getOrDefault(name, "");
      if (!command.isEmpty()) {
        PlayerProgram player = PlayerProgram.of(List.of(command.split("\\s+")));
        if (!player.language().equals(name)) {
          throw new BadArgumentException(
              "--language " + name + ": that player says that it is for " + player.language());
        }
        players.add(player);
      } else if (name.equals(PYTHON)) {
        players.add(PythonSetup.player(python));
      }
    }
    return new Languages(java, asked, players);
  }
}
