package io.kvstadium.server.scripts;

import io.kvstadium.lua.Interpreter;
import io.kvstadium.lua.Interpreter.Kind;
import io.kvstadium.lua.Results.BigNumber;
import io.kvstadium.lua.Results.Failure;
import io.kvstadium.lua.Results.Members;
import io.kvstadium.lua.Results.Pairs;
import io.kvstadium.lua.Results.Real;
import io.kvstadium.lua.Results.Status;
import io.kvstadium.lua.Results.Verbatim;
import io.kvstadium.lua.ScriptException;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Invocation;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.scripts.Scripts.Script;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scripts in Lua. */
public final class ScriptCommands {
  private ScriptCommands() {}

  static Script named(Call call, Scripts scripts) {
    Script script = scripts.find(call.arg(1));
    if (script == null) {
      throw new ReplyException("NOSCRIPT No matching script. Please use EVAL.");
    }
    return script;
  }

  static void script(Call call, Scripts scripts) {
    switch (call.lowerCase(1)) {
      case "load" -> call.reply().bulk(scripts.load(call.arg(2)).name());
      case "exists" -> {
        call.reply().array(call.size() - 2);
        for (int i = 2; i < call.size(); i++) {
          call.reply().integer(scripts.knows(call.arg(i)) ? 1 : 0);
        }
      }
      case "flush" -> {
        if (call.size() > 3
            || (call.size() == 3 && !List.of("sync", "async").contains(call.lowerCase(2)))) {
          throw ReplyException.error("SCRIPT FLUSH only support SYNC|ASYNC option");
        }
        scripts.clear();
        call.reply().ok();
      }
      default -> { // kill
        scripts.kill(Kind.SCRIPT);
        call.reply().ok();
      }
    }
  }

  static void run(Call call, Scripts scripts, Script script, boolean readOnly) {
    long count = call.integer(2);
    if (count > call.size() - 3) {
      throw ReplyException.error("Number of keys can't be greater than number of args");
    }
    if (count < 0) {
      throw ReplyException.error("Number of keys can't be negative");
    }
    if (readOnly && script.declared() && !script.readOnly()) {
      throw ReplyException.error("Can not execute a script with write flag using *_ro command.");
    }
    if (script.needsRoom()) {
      makeRoom(call);
    }
    Object result = result(call, scripts, script, (int) count, readOnly || script.readOnly());
    if (result instanceof Failure failure) {
      throw new ScriptFailure(failure.text(), failure.counted());
    }
    write(call, result);
  }

  private static void makeRoom(Call call) {
    try {
      call.server().sizeLimit().makeRoom(call.view(), Invocation.bytes(call.request()));
    } catch (ReplyException e) {
      throw new ReplyException(
          "OOM allow-oom flag is not set on the script, can not run it when used memory >"
              + " 'maxmemory'");
    }
  }

  /** Runs a script with the arguments of a call; returns its result. */
  static @Nullable Object result(
      Call call, Scripts scripts, Script script, int keys, boolean readOnly) {
    Scripts.Machine machine = scripts.machine();
    RunningScript running =
        new RunningScript(
            call,
            scripts,
            script.kind(),
            script.name(),
            readOnly,
            script.allowsOom(),
            machine.replies());
    int database = call.client().database;
    scripts.began(running);
    try {
      byte[][] arguments = call.request();
      Interpreter interpreter = machine.interpreter();
      interpreter.load(script.kind(), script.id(), script.source(), script.body());
      int first = script.first().length;
      byte[][] words = Arrays.copyOf(script.first(), first + keys);
      System.arraycopy(arguments, 3, words, first, keys);
      return interpreter.run(
          script.id(),
          script.name(),
          words,
          Arrays.copyOfRange(arguments, 3 + keys, arguments.length),
          running);
    } catch (ScriptException e) {
      throw new ScriptFailure(e.text(), e.counted());
    } catch (RunningScript.Ended e) {
      throw new ReplyException(
          "%s script: %s, on @%s."
              .formatted(e.why(), script.name(), machine.interpreter().position()));
    } finally {
      scripts.ended(running);
      call.client().database = database; // SELECT in a script does not last
      scripts.release(machine);
    }
  }

  private static void write(Call call, @Nullable Object result) {
    ReplyWriter reply = call.reply();
    switch (result) {
      case null -> reply.nil();
      case byte[] text -> reply.bulk(text);
      case Long number -> reply.integer(number);
      case Real number -> reply.decimal(number.digits());
      case Boolean value -> reply.bool(value);
      case Status status -> reply.simple(status.text());
      case BigNumber number -> reply.bigNumber(number.digits());
      case Verbatim text -> reply.verbatim(text.format(), text.text());
      case Failure failure -> {
        if (!failure.counted()) {
          call.runner().failed(failure.text());
        }
        reply.error(failure.text());
      }
      case Pairs pairs -> {
        reply.map(pairs.all().size() / 2);
        pairs.all().forEach(each -> write(call, each));
      }
      case Members members -> {
        reply.set(members.all().size());
        members.all().forEach(each -> write(call, each));
      }
      case List<?> list -> {
        reply.array(list.size());
        list.forEach(each -> write(call, each));
      }
      default -> throw new IllegalStateException("no reply for " + result.getClass());
    }
  }

  /** The error of a script, counted if it began as the error of one of its commands. */
  static final class ScriptFailure extends ReplyException {
    private static final long serialVersionUID = 1;

    private final boolean counted;

    ScriptFailure(String text, boolean counted) {
      super(text);
      this.counted = counted;
    }

    @Override
    public boolean counted() {
      return counted;
    }
  }
}
