package io.kvstadium.server.command.server;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.KeyUse;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** COMMAND: what the table of commands says. */
final class CommandCommands {
  private CommandCommands() {}

  static void command(Call call) {
    Collection<Command> all = call.server().commands().all();
    ReplyWriter reply = call.reply();
    switch (call.size() == 1 ? "" : call.lowerCase(1)) {
      case "" -> {
        reply.array(all.size());
        all.forEach(each -> info(reply, each));
      }
      case "count" -> reply.integer(all.size());
      case "list" -> {
        List<String> names = listed(call);
        reply.array(names.size());
        names.forEach(reply::bulk);
      }
      case "info" -> {
        List<@Nullable Command> named = named(call);
        reply.array(named.size());
        named.forEach(each -> info(reply, each));
      }
      case "docs" -> {
        List<@Nullable Command> named = named(call);
        named.removeIf(each -> each == null);
        reply.map(named.size());
        named.forEach(each -> docs(reply, each));
      }
      default -> keys(call, call.lowerCase(1).equals("getkeysandflags"));
    }
  }

  /** The names that COMMAND LIST returns. */
  private static List<String> listed(Call call) {
    Predicate<Command> wanted = _ -> true;
    if (call.size() > 2) {
      if (call.size() != 5 || !call.lowerCase(2).equals("filterby")) {
        throw ReplyException.syntax();
      }
      String word = call.lowerCase(4);
      wanted =
          switch (call.lowerCase(3)) {
            case "aclcat" -> each -> each.categories().contains(word);
            case "pattern" -> {
              Glob pattern = new Glob(Bytes.of(word));
              yield each -> pattern.matches(Bytes.of(each.name()));
            }
            case "module" -> _ -> false;
            default -> throw ReplyException.syntax();
          };
    }
    return call.server().commands().withSubcommands().stream()
        .filter(wanted)
        .map(Command::name)
        .toList();
  }

  private static List<@Nullable Command> named(Call call) {
    if (call.size() == 2) {
      return new ArrayList<>(call.server().commands().all());
    }
    List<@Nullable Command> named = new ArrayList<>();
    for (int i = 2; i < call.size(); i++) {
      named.add(call.server().commands().named(call.arg(i)));
    }
    return named;
  }

  private static void info(ReplyWriter reply, @Nullable Command command) {
    if (command == null) {
      reply.nil();
      return;
    }
    reply.array(10);
    reply.bulk(command.name());
    reply.integer(command.arity());
    List<String> flags = command.flagNames();
    reply.set(flags.size());
    flags.forEach(reply::simple);
    boolean fixed = !command.is(Flag.NUMBERED);
    int last = fixed || command.last() == 1 ? command.last() : 0; // a destination before the number
    reply.integer(fixed ? command.first() : last);
    reply.integer(last);
    reply.integer(fixed ? command.step() : last);
    Set<String> categories = command.categories();
    reply.set(categories.size());
    categories.forEach(each -> reply.simple("@" + each));
    reply.array(0);
    reply.array(0);
    reply.array(command.subcommands().size());
    command.subcommands().values().forEach(each -> info(reply, each));
  }

  private static void docs(ReplyWriter reply, @Nullable Command command) {
    if (command != null) {
      reply.bulk(command.name());
      reply.map(command.subcommands().isEmpty() ? 3 : 4);
      reply.bulk("summary");
      reply.bulk(command.summary());
      reply.bulk("since");
      reply.bulk(command.since());
      reply.bulk("group");
      reply.bulk(command.group());
      if (!command.subcommands().isEmpty()) {
        reply.bulk("subcommands");
        reply.map(command.subcommands().size());
        command.subcommands().values().forEach(each -> docs(reply, each));
      }
    }
  }

  private static void keys(Call call, boolean withFlags) {
    byte[][] request = List.of(call.request()).subList(2, call.size()).toArray(new byte[0][]);
    Command command = call.server().commands().of(request);
    if (command == null) {
      throw ReplyException.error("Invalid command specified");
    }
    if (!command.fits(request.length)) {
      throw ReplyException.error("Invalid number of arguments specified for command");
    }
    List<Integer> keys = command.keys(request);
    if (keys.isEmpty() && !command.is(Flag.SCRIPT)) { // which may have none
      boolean has =
          (command.first() > 0 && !command.is(Flag.PUBSUB))
              || command.flagNames().contains("movablekeys");
      throw ReplyException.error(
          has ? "Invalid arguments specified for command" : "The command has no key arguments");
    }
    ReplyWriter reply = call.reply();
    reply.array(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = request[keys.get(i)];
      if (withFlags) {
        reply.array(2);
        reply.bulk(key);
        List<String> flags = KeyUse.of(command, request, i).flags();
        reply.set(flags.size());
        flags.forEach(reply::simple);
      } else {
        reply.bulk(key);
      }
    }
  }
}
