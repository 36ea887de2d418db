package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the pages quote of the command: calls of it, and what it prints. */
class PagesTest {
  private static final Pattern CALL = Pattern.compile("\\./stadium ([a-z][^`\\n#|;&]*)");
  private static final Pattern BARE = Pattern.compile("(?m)(?:^|[`$| ])stadium ([a-z]+)\\b");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)$\\R(.*?)^```$");

  /** The words that a line of output begins with, up to a gap, a figure or a colon. */
  private static final Pattern LABEL =
      Pattern.compile("(?m)^([A-Z][a-z]+(?: [a-z]+)*)(?=  |:|$| +\\d)");

  @TempDir private Path directory;

  @Test
  void callsOfTheCommandHaveTheOptionsThatItHas() throws IOException {
    CommandLine stadium = Main.commandLine();
    List<String> wrong = new ArrayList<>();
    for (Path page : pages()) {
      String text = Repository.text(page).replaceAll("\\\\\\n\\s*", "");
      for (MatchResult call : CALL.matcher(text).results().toList()) {
        wrong.addAll(
            unknown(stadium, call.group(1)).stream().map(each -> page + ": " + each).toList());
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static List<String> unknown(CommandLine stadium, String call) {
    CommandLine command = stadium;
    for (String word : call.split("\\s+")) {
      CommandLine below = command.getSubcommands().get(word);
      if (below == null) {
        break;
      }
      command = below;
    }
    if (command.equals(stadium)) {
      return List.of("there is no command " + call);
    }
    CommandLine.Model.CommandSpec spec = command.getCommandSpec();
    return OPTION
        .matcher(call)
        .results()
        .map(MatchResult::group)
        .filter(option -> spec.findOption(option) == null)
        .map(option -> call + " has no " + option)
        .toList();
  }

  /** From a checkout the command is called by its path. */
  @Test
  void theCommandIsCalledByItsPath() throws IOException {
    List<String> commands = List.copyOf(Main.commandLine().getSubcommands().keySet());
    for (Path page : pages()) {
      assertThat(BARE.matcher(Repository.text(page)).results().map(found -> found.group(1)))
          .as(page.toString())
          .noneMatch(commands::contains);
    }
  }

  @Test
  void theTableOfTheReadmeIsThatOfTheRunInTheRepository() {
    Path root = Repository.root();
    String readme = Repository.text(root.resolve("README.md"));
    String quoted = outputs(readme).getFirst();

    Run run =
        new Cli(directory).run("report", root.resolve("docs/results/quick"), "--out", "r.html");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains(quoted);
  }

  /** Figures differ from run to run, but not what they are called. */
  @Test
  void quotedOutputHasTheLabelsOfTheProgram() throws IOException {
    String sources = sources();
    TreeSet<String> labels = new TreeSet<>();
    for (Path page : pages()) {
      for (String block : outputs(Repository.text(page))) {
        LABEL.matcher(block).results().map(each -> each.group(1)).forEach(labels::add);
      }
    }

    assertThat(labels).hasSizeGreaterThan(10);
    assertThat(labels).filteredOn(each -> !sources.contains(each)).isEmpty();
  }

  /** The blocks without a language. */
  private static List<String> outputs(String page) {
    return BLOCK
        .matcher(page)
        .results()
        .filter(block -> block.group(1).isEmpty() || block.group(1).equals("text"))
        .map(block -> block.group(2))
        .toList();
  }

  private static String sources() throws IOException {
    try (Stream<Path> files = Files.walk(Repository.root(), 12)) {
      return files
          .filter(file -> file.toString().matches(".*/src/main/.*\\.(java|txt)"))
          .map(Repository::text)
          .collect(Collectors.joining());
    }
  }

  /** For users: without notes on the project's own formats, and on what it decided. */
  private static List<Path> pages() throws IOException {
    Path root = Repository.root();
    try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      return Stream.concat(
              Stream.of(root.resolve("README.md"), root.resolve("CONTRIBUTING.md")), docs)
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !file.toString().contains("/adr/"))
          .toList();
    }
  }
}
