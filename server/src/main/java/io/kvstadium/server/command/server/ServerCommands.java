package io.kvstadium.server.command.server;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.Parameters;
import io.kvstadium.server.figures.Latencies;
import io.kvstadium.server.figures.SlowLog;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.redis.Decimal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
