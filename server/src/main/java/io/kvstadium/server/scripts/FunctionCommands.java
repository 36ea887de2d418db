package io.kvstadium.server.scripts;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.scripts.Functions.Function;
import io.kvstadium.server.scripts.Scripts.Script;
import io.kvstadium.transfer.redis.Rdb;
import io.kvstadium.transfer.redis.RdbException;
import io.kvstadium.transfer.redis.RdbReader;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** FUNCTION and FCALL. */
final class FunctionCommands {
  private FunctionCommands() {}

  static void call(Call call, Scripts scripts, boolean readOnly) {
    Script function = new Functions(call, scripts).find(Bytes.text(call.arg(1)));
    Numbers.integer(call.arg(2), "Bad number of keys provided");
    ScriptCommands.run(call, scripts, function, readOnly);
  }

  static void function(Call call, Scripts scripts) {
    Functions functions = new Functions(call, scripts);
    switch (call.lowerCase(1)) {
      case "load" -> {
        boolean replace = call.size() == 4 && call.lowerCase(2).equals("replace");
        if (call.size() > 3 && !replace) {
          throw ReplyException.error("Unknown option given: %s", call.text(2));
        }
        call.reply().bulk(functions.load(call.arg(call.size() - 1), replace));
      }
      case "delete" -> {
        if (!functions.delete(call.text(2))) {
          throw ReplyException.error("Library not found");
        }
        call.reply().ok();
      }
      case "flush" -> {
        if (call.size() > 3) {
          throw call.wrongSubcommand();
        }
        if (call.size() == 3 && !List.of("sync", "async").contains(call.lowerCase(2))) {
          throw ReplyException.error("FUNCTION FLUSH only supports SYNC|ASYNC option");
        }
        functions.libraries().keySet().forEach(functions::delete);
        call.reply().ok();
      }
      case "dump" -> call.reply().bulk(Rdb.functions(functions.libraries().values()));
      case "restore" -> restore(call, functions);
      case "list" -> list(call, functions);
      default -> stats(call, functions, scripts);
    }
  }

  private static void restore(Call call, Functions functions) {
    if (call.size() > 4) {
      throw call.wrongSubcommand();
    }
    String policy = call.size() > 3 ? call.lowerCase(3) : "append";
    if (!List.of("flush", "append", "replace").contains(policy)) {
      throw ReplyException.error(
          "Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.");
    }
    List<byte[]> sources;
    try {
      sources = RdbReader.functions(Rdb.body(call.arg(2)));
    } catch (RdbException e) {
      throw new ReplyException(String.valueOf(e.getMessage()));
    }
    if (policy.equals("flush")) {
      functions.libraries().keySet().forEach(functions::delete);
    }
    for (byte[] source : sources) {
      functions.restore(source, policy.equals("replace"));
    }
    call.reply().ok();
  }

  private static void list(Call call, Functions functions) {
    Glob wanted = new Glob(new byte[] {'*'});
    boolean code = false;
    for (int i = 2; i < call.size(); i++) {
      if (call.lowerCase(i).equals("withcode")) {
        code = true;
      } else if (call.lowerCase(i).equals("libraryname")) {
        if (++i == call.size()) {
          throw ReplyException.error("library name argument was not given");
        }
        wanted = new Glob(call.arg(i));
      } else {
        throw ReplyException.error("Unknown argument %s", call.text(i));
      }
    }
    ReplyWriter reply = call.reply();
    List<Function> all = functions.all();
    Glob pattern = wanted;
    boolean withCode = code;
    var libraries = functions.libraries();
    libraries.keySet().removeIf(each -> !pattern.matches(Bytes.of(each)));
    reply.array(libraries.size());
    libraries.forEach((name, source) -> {
      reply.map(withCode ? 4 : 3);
      reply.bulk("library_name");
      reply.bulk(name);
      reply.bulk("engine");
      reply.bulk("LUA");
      reply.bulk("functions");
      list(reply, all.stream().filter(each -> each.library().equals(name)).toList());
      if (withCode) {
        reply.bulk("library_code");
        reply.bulk(source);
      }
    });
  }

  private static void list(ReplyWriter reply, List<Function> functions) {
    reply.array(functions.size());
    for (Function each : functions) {
      reply.map(3);
      reply.bulk("name");
      reply.bulk(each.name());
      reply.bulk("description");
      String description = each.description();
      if (description == null) {
        reply.nil();
      } else {
        reply.bulk(description);
      }
      reply.bulk("flags");
      List<String> flags = each.flags().isEmpty() ? List.of() : List.of(each.flags().split(","));
      reply.set(flags.size());
      flags.forEach(reply::simple);
    }
  }

  private static void stats(Call call, Functions functions, Scripts scripts) {
    ReplyWriter reply = call.reply();
    RunningScript running = scripts.running().stream().findFirst().orElse(null);
    reply.map(2);
    reply.bulk("running_script");
    if (running == null) {
      reply.nil();
    } else {
      reply.map(3);
      reply.bulk("name");
      reply.bulk(running.name());
      reply.bulk("command");
      reply.array(running.request().length);
      List.of(running.request()).forEach(reply::bulk);
      reply.bulk("duration_ms");
      reply.integer(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - running.began()));
    }
    reply.bulk("engines");
    reply.map(1);
    reply.bulk("LUA");
    reply.map(2);
    reply.bulk("libraries_count");
    reply.integer(functions.libraries().size());
    reply.bulk("functions_count");
    reply.integer(functions.all().size());
  }
}
