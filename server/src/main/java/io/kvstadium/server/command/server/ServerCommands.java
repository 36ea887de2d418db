package io.kvstadium.server.command.server;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.Parameters;
import io.kvstadium.server.figures.Latencies;
import io.kvstadium.server.figures.SlowLog;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.KeyUse;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.redis.Decimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Commands on the server. */
public final class ServerCommands {
  private ServerCommands() {}

  static void info(Call call, ServerInfo info) {
    Set<String> sections = new HashSet<>();
    for (int i = 1; i < call.size(); i++) {
      sections.add(call.lowerCase(i));
    }
    call.reply().text(info.text(sections));
  }

  public static void config(Call call) {
    Parameters parameters = call.server().parameters();
    switch (call.lowerCase(1)) {
      case "get" -> {
        Map<String, String> found = new TreeMap<>();
        for (int i = 2; i < call.size(); i++) {
          found.putAll(parameters.matching(call.text(i)));
        }
        call.reply().map(found.size());
        found.forEach((name, value) -> {
          call.reply().bulk(name);
          call.reply().bulk(value);
        });
      }
      case "set" -> {
        if (call.size() % 2 != 0) {
          throw ReplyException.syntax();
        }
        parameters.set(List.of(call.request()).subList(2, call.size()));
        call.reply().ok();
      }
      case "resetstat" -> {
        call.server().statistics().reset();
        call.server().counts().reset();
        call.reply().ok();
      }
      default ->
          throw ReplyException.error(
              "Rewriting config file: the server does not write its file: change it there, then"
                  + " send the server SIGHUP");
    }
  }

  public static void slowlog(Call call) {
    ReplyWriter reply = call.reply();
    SlowLog log = call.server().slowLog();
    switch (call.lowerCase(1)) {
      case "len" -> reply.integer(log.size());
      case "reset" -> {
        log.clear();
        reply.ok();
      }
      default -> {
        long count = call.size() > 2 ? Decimal.integer(call.arg(2), Long.MIN_VALUE) : 10;
        if (count < -1) {
          throw ReplyException.error("count should be greater than or equal to -1");
        }
        List<SlowLog.Slow> latest =
            log.latest(count < 0 ? Integer.MAX_VALUE : (int) Math.min(count, Integer.MAX_VALUE));
        reply.array(latest.size());
        for (SlowLog.Slow each : latest) {
          reply.array(6);
          reply.integer(each.id());
          reply.integer(each.when() / 1_000);
          reply.integer(each.micros());
          reply.array(each.arguments().size());
          each.arguments().forEach(reply::bulk);
          reply.bulk(each.address());
          reply.bulk(each.name());
        }
      }
    }
  }

  public static void command(Call call) {
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
      boolean has = command.first() > 0 || command.flagNames().contains("movablekeys");
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

  public static void latency(Call call) {
    switch (call.lowerCase(1)) {
      case "reset" -> call.reply().integer(0);
      case "histogram" -> histogram(call);
      case "doctor" ->
          call.reply()
              .text(
                  "This server does not record latency events. LATENCY HISTOGRAM has the times of"
                      + " each command, SLOWLOG GET the latest requests that took long.\n");
      default -> call.reply().array(0);
    }
  }

  /** Of commands that were executed, how often they took at most so many microseconds. */
  private static void histogram(Call call) {
    Map<String, Latencies> found = new TreeMap<>(call.server().counts().executed());
    if (call.size() > 2) {
      Set<String> wanted = new HashSet<>();
      for (int i = 2; i < call.size(); i++) {
        wanted.add(call.lowerCase(i));
      }
      found
          .keySet()
          .removeIf(each -> !wanted.contains(each) && !wanted.contains(each.split("\\|")[0]));
    }
    ReplyWriter reply = call.reply();
    reply.map(found.size());
    found.forEach((name, took) -> {
      Map<Long, Long> counts = new LinkedHashMap<>();
      long before = 0;
      long bound = 1L << Latencies.LEAST;
      for (long count : took.below()) {
        if (count > before) {
          counts.put(bound / 1_000, count);
        }
        before = count;
        bound *= 2;
      }
      reply.bulk(name);
      reply.map(2);
      reply.bulk("calls");
      reply.integer(before);
      reply.bulk("histogram_usec");
      reply.map(counts.size());
      counts.forEach((micros, count) -> {
        reply.integer(micros);
        reply.integer(count);
      });
    });
  }

  public static void time(Call call) {
    long millis = call.server().clock().millis();
    call.reply().array(2);
    call.reply().bulk(Long.toString(millis / 1_000));
    call.reply().bulk(Long.toString(millis % 1_000 * 1_000));
  }

  public static void role(Call call) {
    call.reply().array(3);
    call.reply().bulk("master");
    call.reply().integer(0);
    call.reply().array(0);
  }

  public static void lastsave(Call call) {
    call.reply().integer(call.server().saves().lastSaved() / 1_000);
  }

  public static void save(Call call) {
    call.server().saves().save();
    call.reply().ok();
  }

  public static void bgsave(Call call) {
    call.server().background().run(call.server().saves()::save);
    call.reply().simple("Background saving started");
  }

  public static void compact(Call call) {
    Store store = call.server().store();
    call.server().background().run(store::compact);
    call.reply().simple("Background append only file rewriting started");
  }

  static void shutdown(Call call, Runnable shutdown) {
    for (int i = 1; i < call.size(); i++) {
      if (!Set.of("nosave", "save", "now", "force").contains(call.lowerCase(i))) {
        throw ReplyException.syntax();
      }
    }
    call.client().closing = true;
    shutdown.run();
  }

  public static void module(Call call) {
    call.reply().array(0);
  }

  public static void monitor(Call call) {
    call.server().listeners().monitors().add(call.client());
    call.reply().ok();
  }

  /** Answers the commands of a cluster. */
  public static void cluster(Call call) {
    throw ReplyException.error("This instance has cluster support disabled");
  }
}
