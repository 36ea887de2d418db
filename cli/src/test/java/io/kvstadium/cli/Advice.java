package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Each option that a command names in its messages is one that it has, or that a command named in
 * the same line has. Otherwise the advice cannot be followed.
 */
final class Advice {
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+");

  /** Command lines of other programs, and of Java, as messages show them. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "redis-cli[^)']*|systemd-run[^']*|gzip[^']*|cpupower[^']*|Java (must run )?with .*");

  private Advice() {}

  /** Checks what a command has said to these arguments. */
  static void check(List<String> arguments, String said) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      return;
    }
    List<CommandLine> ran = new ArrayList<>();
    CommandLine command = Main.commandLine();
    ran.add(command);
    for (String argument : arguments) {
      CommandLine next = command.getSubcommands().get(argument);
      if (next == null) {
        break;
      }
      ran.add(next);
      command = next;
    }
    said.lines()
        .map(line -> OTHERS.matcher(line).replaceAll(""))
        .filter(line -> line.contains("--"))
        .forEach(line -> check(arguments, ran, line));
  }

  private static void check(List<String> arguments, List<CommandLine> ran, String line) {
    List<CommandLine> named =
        Main.commandLine().getSubcommands().values().stream()
            .flatMap(
                each -> Stream.concat(Stream.of(each), each.getSubcommands().values().stream()))
            .filter(each -> line.matches(".*\\b" + each.getCommandName() + "\\b.*"))
            .toList();
    for (Matcher option = OPTION.matcher(line); option.find(); ) {
      String name = option.group();
      boolean given = arguments.stream().anyMatch(each -> each.startsWith(name));
      boolean has =
          Stream.concat(ran.stream(), named.stream())
              .anyMatch(each -> each.getCommandSpec().findOption(name) != null);
      assertThat(given || has || name.equals("--help"))
          .as("'%s' names %s, which %s does not have", line, name, arguments)
          .isTrue();
    }
  }
}
