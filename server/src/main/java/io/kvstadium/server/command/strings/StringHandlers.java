package io.kvstadium.server.command.strings;

import io.kvstadium.server.command.Handlers;

/** What runs the commands on strings, their bits and HyperLogLogs. */
public final class StringHandlers {
  private StringHandlers() {}

  /** Adds them. */
  public static void addTo(Handlers handlers) {
    handlers.add("get", StringCommands::get);
    handlers.add("set", StringCommands::set);
    handlers.add("setnx", StringCommands::setnx);
    handlers.add("setex", call -> StringCommands.setex(call, 1_000));
    handlers.add("psetex", call -> StringCommands.setex(call, 1));
    handlers.add("getset", StringCommands::getset);
    handlers.add("getdel", StringCommands::getdel);
    handlers.add("getex", StringCommands::getex);
    handlers.add("mget", StringCommands::mget);
    handlers.add("mset", StringCommands::mset);
    handlers.add("msetnx", StringCommands::msetnx);
    handlers.add("append", StringCommands::append);
    handlers.add("strlen", call -> call.reply().integer(StringCommands.length(call)));
    handlers.add("getrange", StringCommands::getrange);
    handlers.add("substr", StringCommands::getrange);
    handlers.add("setrange", StringCommands::setrange);
    handlers.add("incr", call -> StringCommands.add(call, 1));
    handlers.add("decr", call -> StringCommands.add(call, -1));
    handlers.add("incrby", call -> StringCommands.add(call, call.integer(2)));
    handlers.add("decrby", StringCommands::decrby);
    handlers.add("incrbyfloat", StringCommands::incrbyfloat);
    handlers.add("setbit", BitCommands::setbit);
    handlers.add("getbit", BitCommands::getbit);
    handlers.add("bitcount", BitCommands::bitcount);
    handlers.add("bitpos", BitCommands::bitpos);
    handlers.add("bitop", BitCommands::bitop);
    handlers.add("bitfield", call -> BitFields.run(call, false));
    handlers.add("bitfield_ro", call -> BitFields.run(call, true));
    handlers.add("lcs", LongestCommon::run);
    handlers.add("pfadd", HyperLogLogCommands::pfadd);
    handlers.add("pfcount", HyperLogLogCommands::pfcount);
    handlers.add("pfmerge", HyperLogLogCommands::pfmerge);
  }
}
