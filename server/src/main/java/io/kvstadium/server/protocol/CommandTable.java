package io.kvstadium.server.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All commands by name, from the table in {@code commands.txt}. */
public final class CommandTable {
  /** Where the documentation says what is not supported. */
  public static final String PAGE = "see docs/server.md, 'What is not there'";

  private static final String FILE = "commands.txt";

  private final Map<String, Command> byName = new TreeMap<>();

  /** By the bytes of the name, in either case: looked up for each request. */
  private final Map<Bytes, Command> byBytes = new HashMap<>();

  public CommandTable() {
    String[] section = {};
    int count = 0;
    for (String line : table().split("\n")) {
      if (line.startsWith("[")) {
        section = line.substring(1, line.length() - 1).split(" @");
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        add(Command.of(line, section[0], section[1], count++));
      }
    }
    byName.forEach((name, command) -> {
      byBytes.put(new Bytes(Bytes.of(name)), command);
      byBytes.put(new Bytes(Bytes.of(name.toUpperCase(Locale.ROOT))), command);
    });
  }

  private static String table() {
    try (InputStream file = Objects.requireNonNull(CommandTable.class.getResourceAsStream(FILE))) {
      return Bytes.text(file.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(Command command) {
    String[] names = command.name().split("\\|");
    Map<String, Command> siblings =
        names.length == 1
            ? byName
            : Objects.requireNonNull(byName.get(names[0]), names[0]).subcommands();
    siblings.put(names[names.length - 1], command);
  }

  /**
   * The command of a request, or its subcommand if that is known; {@code null} if there is no such
   * command.
   */
  public @Nullable Command of(byte[][] request) {
    Command command = byBytes.get(new Bytes(request[0]));
    if (command == null) {
      command = byName.get(Bytes.lowerCase(request[0]));
    }
    return command == null || command.subcommands().isEmpty() || request.length == 1
        ? command
        : command.subcommands().getOrDefault(Bytes.lowerCase(request[1]), command);
  }

  /** The command with a name such as {@code get} or {@code client|id}, or {@code null}. */
  public @Nullable Command named(byte[] name) {
    String[] names = Bytes.lowerCase(name).split("\\|", 2);
    Command command = byName.get(names[0]);
    return command == null || names.length == 1 ? command : command.subcommands().get(names[1]);
  }

  /** All commands, without subcommands. */
  public Collection<Command> all() {
    return byName.values();
  }

  /** All commands, each followed by its subcommands. */
  public List<Command> withSubcommands() {
    List<Command> found = new ArrayList<>();
    for (Command each : byName.values()) {
      found.add(each);
      found.addAll(each.subcommands().values());
    }
    return found;
  }

  /** The error for an unknown subcommand. */
  public static ReplyException unknown(Command command, byte[] subcommand) {
    return ReplyException.error(
        "unknown subcommand '%s'. Try %s HELP.",
        Bytes.text(subcommand), command.name().toUpperCase(Locale.ROOT));
  }
}
