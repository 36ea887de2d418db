package io.kvstadium.server.command.keys;

import io.kvstadium.server.command.Handlers;

/** What runs the commands on keys. */
public final class KeyHandlers {
  private KeyHandlers() {}

  /**
   * Adds them.
   *
   * @param whenCleared runs when databases were cleared
   */
  public static void addTo(Handlers handlers, Runnable whenCleared) {
    handlers.add("del", KeyCommands::del);
    handlers.add("unlink", KeyCommands::del);
    handlers.add("exists", KeyCommands::exists);
    handlers.add("touch", KeyCommands::exists);
    handlers.add("type", KeyCommands::type);
    handlers.add("rename", call -> KeyCommands.rename(call, true));
    handlers.add("renamenx", call -> KeyCommands.rename(call, false));
    handlers.add("copy", KeyCommands::copy);
    handlers.add("move", KeyCommands::move);
    handlers.add("randomkey", KeyCommands::randomkey);
    handlers.add("keys", KeyCommands::keys);
    handlers.add("scan", KeyCommands::scan);
    handlers.add("dbsize", call -> call.reply().integer(call.keys().size()));
    handlers.add("expire", call -> KeyCommands.expire(call, 1_000, call.now()));
    handlers.add("pexpire", call -> KeyCommands.expire(call, 1, call.now()));
    handlers.add("expireat", call -> KeyCommands.expire(call, 1_000, 0));
    handlers.add("pexpireat", call -> KeyCommands.expire(call, 1, 0));
    handlers.add("ttl", call -> KeyCommands.left(call, 1_000, call.now()));
    handlers.add("pttl", call -> KeyCommands.left(call, 1, call.now()));
    handlers.add("expiretime", call -> KeyCommands.left(call, 1_000, 0));
    handlers.add("pexpiretime", call -> KeyCommands.left(call, 1, 0));
    handlers.add("persist", KeyCommands::persist);
    handlers.add("object", KeyCommands::object);
    handlers.add("memory", KeyCommands::memory);
    handlers.add("flushdb", call -> KeyCommands.flushdb(call, whenCleared));
    handlers.add("swapdb", KeyCommands::swapdb);
    handlers.add("flushall", call -> KeyCommands.flushall(call, whenCleared));
    handlers.add("sort", call -> new SortCommands.Sorting(call, true).run());
    handlers.add("sort_ro", call -> new SortCommands.Sorting(call, false).run());
    handlers.add("dump", DumpCommands::dump);
    handlers.add("restore", DumpCommands::restore);
  }
}
