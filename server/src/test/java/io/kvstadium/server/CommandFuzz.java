package io.kvstadium.server;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Commands to a whole server, one per line: each gets a reply, nothing fails inside the server, and
 * other clients are still served.
 */
public final class CommandFuzz {
  /** Commands that do not answer, answer more than once or later, or end the connection. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "SUBSCRIBE",
          "PSUBSCRIBE",
          "SSUBSCRIBE",
          "UNSUBSCRIBE",
          "PUNSUBSCRIBE",
          "SUNSUBSCRIBE",
          "MONITOR",
          "CLIENT",
          "HELLO",
          "QUIT",
          "RESET",
          "SHUTDOWN",
          "DEBUG",
          "WAIT",
          "BLPOP",
          "BRPOP",
          "BLMOVE",
          "BLMPOP",
          "BRPOPLPUSH",
          "BZPOPMIN",
          "BZPOPMAX",
          "BZMPOP",
          "XREAD",
          "XREADGROUP",
          "ACL",
          "CONFIG",
          "AUTH");

  private static final int MOST_LINES = 40;

  private static @Nullable TestServer server;
  private static @Nullable RespClient client;
  private static @Nullable RespClient other;

  private CommandFuzz() {}

  /** One input: lines of words with single spaces between. */
  public static void fuzzerTestOneInput(byte[] input) {
    List<List<byte[]>> requests = new ArrayList<>();
    requests.add(words("RESET"));
    requests.add(words("FLUSHALL"));
    new String(input, StandardCharsets.ISO_8859_1)
        .lines()
        .limit(MOST_LINES)
        .map(CommandFuzz::words)
        .filter(CommandFuzz::isAnswered)
        .forEach(requests::add);
    TestServer served = server();
    try {
      if (client == null) {
        client = served.connect();
      }
      client.pipeline(requests);
    } catch (UncheckedIOException e) { // it may cut off a client that asks for too much
      if (e.getCause() instanceof SocketTimeoutException) {
        throw e;
      }
      if (client != null) {
        client.close();
      }
      client = null;
    }
    if (other == null) {
      other = served.connect();
    }
    Reply pong = other.reply("PING");
    if (!"PONG".equals(pong.value())) {
      throw new AssertionError("somebody else got " + pong.raw());
    }
    List<String> failures = served.log().stream().filter(line -> line.contains("failure")).toList();
    if (!failures.isEmpty()) {
      throw new AssertionError("reported to the operator: " + failures);
    }
  }

  private static List<byte[]> words(String line) {
    return Stream.of(line.split(" ", -1))
        .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
        .toList();
  }

  private static boolean isAnswered(List<byte[]> words) {
    String name = new String(words.getFirst(), StandardCharsets.ISO_8859_1);
    return !LEFT_OUT.contains(name.toUpperCase(Locale.ROOT));
  }

  private static TestServer server() {
    TestServer known = server;
    if (known == null) {
      known =
          TestServer.start(
              "memory:",
              options ->
                  options.limits(
                      new ServerOptions.Limits(
                          100, Duration.ZERO, 8 << 20, 1_024, 1 << 20, ServerOptions.Bound.NONE)));
      server = known;
    }
    return known;
  }
}
