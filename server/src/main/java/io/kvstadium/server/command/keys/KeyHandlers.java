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
    handlers.add("expire", call -> ExpiryCommands.expire(call, 1_000, call.now()));
    handlers.add("pexpire", call -> ExpiryCommands.expire(call, 1, call.now()));
    handlers.add("expireat", call -> ExpiryCommands.expire(call, 1_000, 0));
    handlers.add("pexpireat", call -> ExpiryCommands.expire(call, 1, 0));
    handlers.add("ttl", call -> ExpiryCommands.left(call, 1_000, call.now()));
    handlers.add("pttl", call -> ExpiryCommands.left(call, 1, call.now()));
    handlers.add("expiretime", call -> ExpiryCommands.left(call, 1_000, 0));
    handlers.add("pexpiretime", call -> ExpiryCommands.left(call, 1, 0));
    handlers.add("persist", ExpiryCommands::persist);
    handlers.add("object", KeyCommands::object);
    handlers.add("memory", MemoryCommands::memory);
    handlers.add("flushdb", call -> KeyCommands.flushdb(call, whenCleared));
    handlers.add("swapdb", KeyCommands::swapdb);
    handlers.add("flushall", call -> KeyCommands.flushall(call, whenCleared));
    handlers.add("sort", call -> new SortCommands.Sorting(call, true).run());
    handlers.add("sort_ro", call -> new SortCommands.Sorting(call, false).run());
    handlers.add("dump", DumpCommands::dump);
    handlers.add("restore", DumpCommands::restore);
  }
}
