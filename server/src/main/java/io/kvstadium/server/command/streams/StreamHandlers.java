package io.kvstadium.server.command.streams;

import io.kvstadium.server.command.Handlers;

/** What runs the commands on streams and their groups. */
public final class StreamHandlers {
  private StreamHandlers() {}

  /** Adds them. */
  public static void addTo(Handlers handlers) {
    handlers.add("xadd", StreamCommands::add);
    handlers.add("xrange", call -> StreamCommands.range(call, false));
    handlers.add("xrevrange", call -> StreamCommands.range(call, true));
    handlers.add("xlen", StreamCommands::length);
    handlers.add("xdel", StreamCommands::delete);
    handlers.add("xtrim", StreamCommands::trim);
    handlers.add("xsetid", StreamCommands::setId);
    handlers.add("xread", call -> StreamReads.read(call, StreamReads.arguments(call, false)));
    handlers.add("xreadgroup", call -> StreamReads.read(call, StreamReads.arguments(call, true)));
    handlers.add("xgroup", StreamGroupCommands::group);
    handlers.add("xack", StreamGroupCommands::acknowledge);
    handlers.add("xpending", StreamGroupCommands::pending);
    handlers.add("xclaim", StreamGroupCommands::claim);
    handlers.add("xautoclaim", StreamGroupCommands::autoclaim);
    handlers.add("xinfo", StreamInfo::info);
  }
}
