package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cursor is a place among the names, and no state of the server. */
final class ScanCursorTest {
  private static final List<String> NAMES =
      IntStream.range(0, 50).mapToObj("n%02d"::formatted).toList();

  private static String[] scan(String command, String cursor) {
    return command.equals("scan")
        ? new String[] {"scan", cursor, "count", "10", "match", "n*"}
        : new String[] {command, "key", cursor, "count", "10"};
  }

  private static String cursor(Reply reply) {
    return Objects.requireNonNull(reply.parts().getFirst().text());
  }

  private static List<String> names(Reply reply) {
    return reply.parts().get(1).parts().stream()
        .map(each -> String.valueOf(each.text()))
        .filter(NAMES::contains)
        .toList();
  }

  private static void fill(RespClient client) {
    for (String name : NAMES) {
      client.call("set", name, "v");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"scan", "sscan", "hscan", "zscan"})
  void itLeadsToTheSamePlaceAgainAndBeginsAgainAfterARestart(String command) {
    try (TestServer server = TestServer.start("lmdb:")) {
      Reply second;
      String first;
      try (RespClient client = server.connect()) {
        for (String name : NAMES) {
          switch (command) {
            case "scan" -> client.call("set", name, "v");
            case "sscan" -> client.call("sadd", "key", name);
            case "hscan" -> client.call("hset", "key", name, "v");
            default -> client.call("zadd", "key", "1", name);
          }
        }
        first = cursor(client.reply(scan(command, "0")));
        second = client.reply(scan(command, first));
        assertThat(client.reply(scan(command, first))).isEqualTo(second);
      }

      server.restart();

      try (RespClient client = server.connect()) {
        assertThat(names(client.reply(scan(command, first)))).isEqualTo(NAMES.subList(0, 10));
        assertThat(client.reply(scan(command, first))).isEqualTo(second);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb:"})
  void whoseNameIsGoneBeginsAgainAndMissesNothing(String engine) {
    try (TestServer server = TestServer.start(engine)) {
      String cursor;
      try (RespClient client = server.connect()) {
        fill(client);
        cursor = cursor(client.reply(scan("scan", "0")));
        client.call("del", "n09");
      }
      server.restart();

      List<String> rest = new ArrayList<>();
      try (RespClient client = server.connect()) {
        while (!cursor.equals("0")) {
          Reply reply = client.reply(scan("scan", cursor));
          rest.addAll(names(reply));
          cursor = cursor(reply);
        }
      }

      assertThat(rest).containsAll(NAMES.subList(10, 50));
    }
  }
}
