package io.kvstadium.cli.bench;

import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.cli.engines.PlayerOptions;
import io.kvstadium.cli.io.Quoted;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.internal.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The languages that trials run in. */
final class LanguageOptions {
  @Option(
      names = "--language",
      paramLabel = "NAME,…",
      description =
          "The languages of the trials: java, c, go, python, rust, or several, as java,go (default: those of"
              + " --engines, or java); or NAME=COMMAND, which starts a player of traces in another"
              + " one.")
  private List<String> names = new ArrayList<>();

  @Mixin private PlayerOptions players;

  /**
   * The languages that were asked for.
   *
   * @param engines names, or URLs, that were asked for: they say the languages where nothing else
   *     does
   */
  Languages languages(Engines java, List<String> engines) {
    Map<String, List<String>> commands = commands();
    List<String> known = known();
    for (String name : commands.keySet()) {
      if (!known.contains(name) && commands.getOrDefault(name, List.of()).isEmpty()) {
        throw new BadArgumentException(
            "--language "
                + name
                + ": trials cannot run in that"
                + Nearest.hint(name, known)
                + "; give one of "
                + String.join(", ", known)
                + ", or "
                + name
                + "=COMMAND");
      }
    }
    List<String> asked = commands.isEmpty() ? of(java, engines) : List.copyOf(commands.keySet());
    if (players.python() != null && !asked.contains(PlayerOptions.PYTHON)) {
      throw new BadArgumentException("--python is for trials in Python: add --language python");
    }
    return of(java, asked, commands);
  }

  private List<String> known() {
    List<String> known = new ArrayList<>(List.of(Configuration.JAVA));
    players.known().keySet().stream().sorted().forEach(known::add);
    return known;
  }

  /** Java, and the languages of engines that it has not. */
  private List<String> of(Engines java, List<String> engines) {
    List<String> languages =
        engines.stream().map(each -> players.languageOf(java, each.split(":", 2)[0])).toList();
    return languages.isEmpty()
        ? List.of(Configuration.JAVA)
        : known().stream().filter(languages::contains).toList();
  }

  /** The languages of a run that is resumed. */
  Languages resumed(Engines java, List<String> before) {
    return of(java, before, commands());
  }

  /** The command of each, which is empty if it needs none. */
  private Map<String, List<String>> commands() {
    Map<String, List<String>> commands = new LinkedHashMap<>();
    for (String list : names) {
      for (String each : Quoted.split(list, ',')) {
        String[] parts = each.strip().split("=", 2);
        if (parts[0].isEmpty()) {
          throw new BadArgumentException("--language " + list + ": a name is missing");
        }
        commands.put(
            parts[0], parts.length == 1 ? List.of() : PlayerOptions.command(parts[1].strip()));
      }
    }
    return commands;
  }

  private Languages of(Engines java, List<String> asked, Map<String, List<String>> commands) {
    List<PlayerProgram> programs = new ArrayList<>();
    for (String name : asked) {
      List<String> command = commands.getOrDefault(name, List.of());
      if (name.equals(Configuration.JAVA)) {
        continue;
      }
      programs.add(
          command.isEmpty()
              ? PlayerOptions.withoutBroken(players.program(name))
              : players.program(name, command));
    }
    return new Languages(java, asked, programs);
  }
}
