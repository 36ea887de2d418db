package io.kvstadium.cli.verify;

import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.run.PlayerCheck;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.cli.engines.PlayerOptions;
import io.kvstadium.cli.io.Escapes;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.StatusLine;
import io.kvstadium.cli.io.ValueList;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium check-player}: whether a player of another language does what it should. */
@Command(
    name = "check-player",
    description = {
      FirstSentences.CHECK_PLAYER,
      "It plays traces whose answers are known, some of which are wrong so that it must notice, on"
          + " each of its engines and at each level; it is killed, and its stores are read again."
    })
public final class CheckPlayerCommand implements Callable<Integer> {
  private static final int FAULTS = 1;

  @Mixin private PlayerOptions players;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "What starts the player, with its arguments; or python, go or rust, for ours.")
  private List<String> command;

  @Option(
      names = "--engines",
      paramLabel = "NAME,…",
      description = "Only these of its engines (default: all that can be used here).")
  private List<String> engines = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    PlayerProgram program = players.program(command);
    List<String> names = ValueList.of("--engines", engines);
    names.forEach(program.engines()::engine);
    List<EngineDeclaration> all =
        program.hello().engines().stream()
            .filter(each -> names.isEmpty() || names.contains(each.name()))
            .toList();
    List<PlayerCheck.Fault> faults = new ArrayList<>();
    List<String> checked = new ArrayList<>();
    Path directory = Files.createTempDirectory("stadium-player");
    try (StatusLine line = new StatusLine()) {
      PlayerCheck check = new PlayerCheck(program, directory, line::draw);
      for (EngineDeclaration each : all) {
        if (each.unavailable() == null) {
          checked.add(each.name());
          faults.addAll(check.check(each));
        } else {
          line.say(each.name() + " is left out: " + each.unavailable());
        }
      }
    } finally {
      FileTrees.remove(directory);
    }
    if (checked.isEmpty()) {
      throw new BadArgumentException("none of the player's engines can be used here");
    }
    faults.forEach(
        each -> Lines.wrap("", Escapes.shown(each.toString())).forEach(System.out::println));
    System.out.printf(
        "%s, %s: %s%n",
        program.language(),
        String.join(", ", checked),
        faults.isEmpty()
            ? "no faults"
            : faults.size() == 1 ? "1 fault" : faults.size() + " faults");
    return faults.isEmpty() ? 0 : FAULTS;
  }
}
