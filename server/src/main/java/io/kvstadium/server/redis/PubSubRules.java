package io.kvstadium.server.redis;

import java.util.Set;

/** The requests that a subscriber in RESP2 may still send. */
final class PubSubRules {
  private static final Set<String> ALLOWED =
      Set.of(
          "subscribe",
          "unsubscribe",
          "psubscribe",
          "punsubscribe",
          "ssubscribe",
          "sunsubscribe",
          "ping",
          "quit",
          "reset");

  private PubSubRules() {}

  static void check(Command command) {
    if (!ALLOWED.contains(command.name())) {
      throw ReplyException.error(
          "Can't execute '%s': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are"
              + " allowed in this context",
          command.name());
    }
  }
}
