package io.kvstadium.server.command.lists;

import io.kvstadium.server.command.Handlers;

/** What runs the commands on lists, and those that wait. */
public final class ListHandlers {
  private ListHandlers() {}

  /** Adds them. */
  public static void addTo(Handlers handlers) {
    handlers.add("lpush", call -> ListCommands.push(call, true));
    handlers.add("rpush", call -> ListCommands.push(call, false));
    handlers.add("lpushx", call -> ListCommands.pushx(call, true));
    handlers.add("rpushx", call -> ListCommands.pushx(call, false));
    handlers.add("lpop", call -> ListCommands.pop(call, true));
    handlers.add("rpop", call -> ListCommands.pop(call, false));
    handlers.add("llen", ListCommands::llen);
    handlers.add("lrange", ListCommands::lrange);
    handlers.add("lindex", ListCommands::lindex);
    handlers.add("lset", ListCommands::lset);
    handlers.add("linsert", ListCommands::linsert);
    handlers.add("lrem", ListCommands::lrem);
    handlers.add("ltrim", ListCommands::ltrim);
    handlers.add("lpos", ListCommands::lpos);
    handlers.add("lmove", ListCommands::lmove);
    handlers.add("rpoplpush", ListCommands::rpoplpush);
    handlers.add("lmpop", ListCommands::lmpop);
    handlers.add("blpop", call -> BlockingCommands.listPop(call, true));
    handlers.add("brpop", call -> BlockingCommands.listPop(call, false));
    handlers.add(
        "blmove",
        call ->
            BlockingCommands.move(call, ListCommands.left(call, 3), ListCommands.left(call, 4)));
    handlers.add("brpoplpush", call -> BlockingCommands.move(call, false, true));
    handlers.add("blmpop", BlockingCommands::blmpop);
  }
}
