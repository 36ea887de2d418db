package io.kvstadium.server.scripts;

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
  }
}
