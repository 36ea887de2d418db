package io.kvstadium.server.redis;

import java.util.List;
import java.util.Locale;

/** Commands of Redis that are refused by name, so that a client learns why. */
final class Refused {
  static final String PAGE = "see docs/server.md, 'What is not there'";

  /** A refused feature: its group in Redis, additional flags, and the names of its commands. */
  private record Refusal(String what, String group, String flags, String names) {}

  private static final List<Refusal> REFUSALS =
      List.of(
          new Refusal("functions", "scripting", "local", "function fcall fcall_ro"),
          new Refusal("sharded pub/sub", "pubsub", "local", "ssubscribe sunsubscribe spublish"),
          new Refusal(
              "replication",
              "server",
              "admin local",
              "replicaof slaveof sync psync replconf failover"),
          new Refusal("replication", "generic", "local", "restore-asking asking migrate"),
          new Refusal("debugging", "server", "admin local", "debug pfdebug pfselftest"));

  private Refused() {}

  static void register(Commands commands) {
    REFUSALS.forEach(kind -> {
      Commands.Group group = commands.group(kind.group());
      for (String name : kind.names().split(" ")) {
        group.add(
            name,
            -1,
            kind.flags(),
            "0.0.0",
            "Refused: " + kind.what() + ".",
            _ -> {
              throw ReplyException.error(
                  "%s is not supported (%s): %s", name.toUpperCase(Locale.ROOT), kind.what(), PAGE);
            });
      }
    });
  }
}
