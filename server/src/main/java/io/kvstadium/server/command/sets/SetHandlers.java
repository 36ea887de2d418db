package io.kvstadium.server.command.sets;

import io.kvstadium.server.command.Handlers;
import io.kvstadium.server.command.keys.CollectionScan;
import io.kvstadium.transfer.redis.Kind;

/** What runs the commands on sets. */
public final class SetHandlers {
  private SetHandlers() {}

  /** Adds them. */
  public static void addTo(Handlers handlers) {
    handlers.add("sadd", SetCommands::sadd);
    handlers.add("srem", SetCommands::srem);
    handlers.add(
        "sismember", call -> call.reply().integer(SetCommands.set(call).has(call.arg(2)) ? 1 : 0));
    handlers.add("smismember", SetCommands::smismember);
    handlers.add("scard", call -> call.reply().integer(SetCommands.set(call).count()));
    handlers.add("smembers", SetCommands::smembers);
    handlers.add("spop", SetCommands::spop);
    handlers.add("srandmember", SetCommands::srandmember);
    handlers.add("smove", SetCommands::smove);
    handlers.add("sintercard", SetCommands::sintercard);
    handlers.add("sunion", SetCommands::sunion);
    handlers.add("sinter", SetCommands::sinter);
    handlers.add("sdiff", SetCommands::sdiff);
    handlers.add("sunionstore", SetCommands::sunionstore);
    handlers.add("sinterstore", SetCommands::sinterstore);
    handlers.add("sdiffstore", SetCommands::sdiffstore);
    handlers.add("sscan", call -> CollectionScan.run(call, Kind.SET));
  }
}
