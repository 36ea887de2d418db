package io.kvstadium.server.redis;

import java.util.Map;

/** Commands of Redis that are refused by name, so that a client learns why. */
final class Refused {
  static final String PAGE = "see docs/server.md, 'What is not there'";

  private static final Map<String, String> NAMES =
      Map.of(
          "scripting", "eval eval_ro evalsha evalsha_ro script function fcall fcall_ro",
          "streams",
              "xadd xread xreadgroup xrange xrevrange xlen xdel xtrim xgroup xinfo xack xpending"
                  + " xclaim xautoclaim xsetid",
          "sharded pub/sub", "ssubscribe sunsubscribe spublish",
          "replication",
              "replicaof slaveof sync psync replconf failover restore-asking asking migrate",
          "debugging", "debug pfdebug pfselftest");

  private Refused() {}

  static void register(Commands commands) {
    NAMES.forEach((what, names) -> {
      Commands.Group group = commands.group("refused");
      for (String name : names.split(" ")) {
        group.add(
            name,
            -1,
            "local",
            "0.0.0",
            "Refused: " + what + ".",
            _ -> {
              throw ReplyException.error(
                  "%s is not supported (%s): %s",
                  name.toUpperCase(java.util.Locale.ROOT), what, PAGE);
            });
      }
    });
  }
}
