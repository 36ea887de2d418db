package io.kvstadium.server.scripts;

import io.kvstadium.lua.Interpreter.Kind;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.Handlers;

/** What runs the commands on scripts. */
public final class ScriptHandlers {
  private ScriptHandlers() {}

  /** Adds them. */
  public static void addTo(Handlers handlers, Scripts scripts) {
    handlers.add(
        "eval", call -> ScriptCommands.run(call, scripts, scripts.load(call.arg(1)), false));
    handlers.add(
        "evalsha",
        call -> ScriptCommands.run(call, scripts, ScriptCommands.named(call, scripts), false));
    handlers.add(
        "eval_ro", call -> ScriptCommands.run(call, scripts, scripts.load(call.arg(1)), true));
    handlers.add(
        "evalsha_ro",
        call -> ScriptCommands.run(call, scripts, ScriptCommands.named(call, scripts), true));
    handlers.add("script", call -> ScriptCommands.script(call, scripts));
    handlers.add("fcall", call -> FunctionCommands.call(call, scripts, false));
    handlers.add("fcall_ro", call -> FunctionCommands.call(call, scripts, true));
    handlers.add("function", call -> function(call, scripts));
  }

  private static void function(Call call, Scripts scripts) {
    if (call.lowerCase(1).equals("kill")) { // without the store
      scripts.kill(Kind.FUNCTION);
      call.reply().ok();
    } else {
      FunctionCommands.function(call, scripts);
    }
  }
}
