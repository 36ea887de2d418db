package io.kvstadium.server.command;

import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.CommandTable;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What runs each command of the table. The package of each group adds its own; a handler of a
 * command with subcommands runs them, too.
 */
public final class Handlers {
  /** Runs a command. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Answers a request.
     *
     * @throws ReplyException an error reply; what was written so far is undone
     */
    void run(Call call);
  }

  private final Map<String, Handler> byName = new HashMap<>();

  /**
   * Adds what runs a command.
   *
   * @param name in lower case, as in the table
   * @throws IllegalStateException if something runs it already
   */
  public void add(String name, Handler handler) {
    if (byName.putIfAbsent(name, handler) != null) {
      throw new IllegalStateException("two handlers for " + name);
    }
  }

  /**
   * The handlers of all commands, by {@link Command#number}.
   *
   * @throws IllegalStateException if nothing runs one of them, or there is no such command
   */
  Handler[] inOrder(CommandTable table) {
    List<Command> all = table.withSubcommands();
    Handler[] handlers = new Handler[all.size()];
    for (Command each : all) {
      handlers[each.number()] = of(each, table);
    }
    byName
        .keySet()
        .forEach(name -> Objects.requireNonNull(table.named(Bytes.of(name)), () -> name));
    return handlers;
  }

  private Handler of(Command command, CommandTable table) {
    if (command.is(Flag.REFUSED)) {
      return Handlers::refuse;
    }
    String[] name = command.name().split("\\|");
    if (name.length > 1 && name[1].equals("help")) {
      Command all = Objects.requireNonNull(table.named(Bytes.of(name[0])));
      return call -> help(call, all);
    }
    Handler handler = byName.get(name[0]);
    if (handler == null) {
      throw new IllegalStateException("nothing runs " + command.name());
    }
    return handler;
  }

  /** Answers the HELP of a command with subcommands. */
  private static void help(Call call, Command all) {
    ReplyWriter reply = call.reply();
    reply.array(1 + 2 * all.subcommands().size());
    reply.simple(
        call.text(0).toUpperCase(Locale.ROOT)
            + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
    all.subcommands()
        .forEach((word, each) -> {
          reply.simple(word.toUpperCase(Locale.ROOT));
          reply.simple("    " + each.summary());
        });
  }

  /** Answers a command of Redis that is not supported, so that a client learns why. */
  private static void refuse(Call call) {
    Command command = call.command();
    String what = command.summary().startsWith("Refused: ") ? command.summary() : "";
    throw ReplyException.error(
        "%s is not supported%s: %s",
        command.name().replace('|', ' ').toUpperCase(Locale.ROOT),
        what.replaceFirst("Refused: (.*)\\.", " ($1)"),
        CommandTable.PAGE);
  }
}
