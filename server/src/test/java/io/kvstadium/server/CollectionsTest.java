package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What lists and sorted sets do beyond Redis' replies: in the store, at its limits, after a
 * restart.
 */
final class CollectionsTest {
  private static List<byte[]> words(String... words) {
    return Arrays.stream(words).map(word -> word.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private static long entries(TestServer server) {
    return server.store().table("db0").count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb:", "rocksdb:"})
  void areThereAfterARestart(String engine) {
    try (TestServer server = TestServer.start(engine)) {
      // given
      try (RespClient client = server.connect()) {
        client.call("RPUSH", "list", "a", "b", "c");
        client.call("LPOP", "list");
        client.call("LPUSH", "list", "x", "y");
        client.call("ZADD", "set", "-1.5", "a", "2", "b", "-inf", "c");
      }

      // when
      server.restart();

      // then
      try (RespClient client = server.connect()) {
        assertThat(client.call("LRANGE", "list", "0", "-1")).isEqualTo(List.of("y", "x", "b", "c"));
        assertThat(client.call("ZRANGE", "set", "0", "-1", "WITHSCORES"))
            .isEqualTo(List.of("c", "-inf", "a", "-1.5", "b", "2"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void insertionsAndRemovalsAnywhereAreThoseOfAList(String engine) {
    // given
    Random random = new Random(7);
    List<String> expected = new ArrayList<>();
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {

      // when
      for (int i = 0; i < 400; i++) {
        String value = Integer.toString(i);
        if (expected.size() < 5) {
          client.call("RPUSH", "list", value);
          expected.add(value);
        } else if (random.nextInt(3) > 0) {
          int at = random.nextInt(expected.size());
          client.call("LINSERT", "list", "BEFORE", expected.get(at), value);
          expected.add(at, value);
        } else {
          String removed = expected.get(random.nextInt(expected.size()));
          client.call("LREM", "list", "0", removed);
          expected.remove(removed);
        }
      }

      // then
      assertThat(client.call("LRANGE", "list", "0", "-1")).isEqualTo(expected);
      client.call("LTRIM", "list", "3", "-4");
      assertThat(client.call("LRANGE", "list", "0", "-1"))
          .isEqualTo(expected.subList(3, expected.size() - 3));
      client.call("LTRIM", "list", "2", "4");
      assertThat(client.call("LRANGE", "list", "0", "-1")).isEqualTo(expected.subList(5, 8));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:"})
  void aQueueLeavesNothingBehindInTheStore(String engine) {
    // given
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      client.call("RPUSH", "queue", "first", "second");
      client.call("RPUSH", "one", "alone");
      long before = entries(server);

      // when
      List<List<byte[]>> requests = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        requests.add(words("RPUSH", "queue", "element" + i));
        requests.add(words("LPOP", "queue"));
        requests.add(words("LMOVE", "one", "one", "LEFT", "RIGHT"));
        requests.add(words("LMOVE", "queue", "queue", "LEFT", "RIGHT"));
      }
      client.pipeline(requests);

      // then
      assertThat(entries(server)).isEqualTo(before);
      assertThat(client.call("LLEN", "queue")).isEqualTo(2L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:"})
  void scoresAndRanksAreThoseOfASortedList(String engine) {
    // given
    Random random = new Random(11);
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      List<Double> scores = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        double score = (random.nextInt(2_000) - 1_000) * Math.scalb(1.0, random.nextInt(40) - 20);
        scores.add(score);
        client.call("ZADD", "set", Double.toString(score), String.format("member%03d", i));
      }
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        expected.add(String.format("member%03d", i));
      }
      expected.sort(
          Comparator.comparingDouble(
                  (String member) -> scores.get(Integer.parseInt(member.substring(6))) + 0.0)
              .thenComparing(member -> member));

      // when
      Object all = client.call("ZRANGE", "set", "0", "-1");
      Object part = client.call("ZRANGE", "set", "250", "259");
      Object reversed = client.call("ZRANGE", "set", "250", "259", "REV");

      // then
      assertThat(all).isEqualTo(expected);
      assertThat(part).isEqualTo(expected.subList(250, 260));
      List<String> backwards = new ArrayList<>(expected);
      Collections.reverse(backwards);
      assertThat(reversed).isEqualTo(backwards.subList(250, 260));
      for (int rank : new int[] {0, 1, 17, 149, 150, 151, 298, 299}) {
        assertThat(client.call("ZRANK", "set", expected.get(rank))).isEqualTo((long) rank);
        assertThat(client.call("ZREVRANK", "set", expected.get(rank))).isEqualTo(299L - rank);
      }
      assertThat(client.call("ZRANK", "set", expected.get(3), "WITHSCORE"))
          .isEqualTo(List.of(3L, client.call("ZSCORE", "set", expected.get(3))));
    }
  }

  @Test
  void aWalkVisitsAllMembers() {
    // given
    try (TestServer server = TestServer.start("lmdb:");
        RespClient client = server.connect()) {
      for (int i = 0; i < 100; i++) {
        client.call("ZADD", "set", Integer.toString(-i), "member" + i);
      }

      // when
      List<Object> visited = new ArrayList<>();
      String cursor = "0";
      do {
        List<?> reply = (List<?>) client.call("ZSCAN", "set", cursor, "COUNT", "7");
        cursor = String.valueOf(reply.getFirst());
        visited.addAll((List<?>) reply.getLast());
      } while (!cursor.equals("0"));

      // then
      assertThat(visited).hasSize(200).doesNotHaveDuplicates().contains("member99", "-99");
    }
  }

  @Test
  void aMemberThatTheEngineCannotHoldIsRefusedAndNothingIsWritten() {
    // given
    try (TestServer server = TestServer.start("lmdb:");
        RespClient client = server.connect()) {
      String tooLong = "x".repeat(500);

      // when
      Object reply = client.call("ZADD", "set", "1", "fine", "2", tooLong);

      // then
      assertThat(String.valueOf(reply)).startsWith("-ERR").contains("511");
      assertThat(client.call("EXISTS", "set")).isEqualTo(0L);
      assertThat(client.call("ZADD", "set", "1", "fine", "2", "x".repeat(493))).isEqualTo(2L);
      String longer = "x".repeat(600);
      assertThat(client.call("ZSCORE", "set", longer)).isNull();
      assertThat(client.call("ZREM", "set", longer)).isEqualTo(0L);
      assertThat(client.call("ZRANGEBYLEX", "set", "[f", "[" + longer))
          .isEqualTo(List.of("fine", "x".repeat(493)));
      assertThat(client.call("ZRANGEBYLEX", "set", "(" + longer, "+")).isEqualTo(List.of());
      assertThat(client.call("MGET", longer, longer)).isEqualTo(Arrays.asList(null, null));
    }
  }

  @Test
  void aRequestThatFailedDoesNotMakeLaterCollectionsShareTheirElements() {
    // given
    try (TestServer server = TestServer.start("lmdb:")) {
      try (RespClient client = server.connect()) {
        client.call("ZADD", "set", "1", "x".repeat(500));
        client.call("RPUSH", "first", "a");
      }
      server.restart();

      // when
      try (RespClient client = server.connect()) {
        client.call("RPUSH", "second", "b");
        client.call("RPUSH", "third", "c");

        // then
        assertThat(client.call("LRANGE", "first", "0", "-1")).isEqualTo(List.of("a"));
      }
    }
  }

  @Test
  void membersAtRandomAreDifferentOnesUnlessAskedOtherwise() {
    // given
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("ZADD", "set", "1", "a", "2", "b", "3", "c", "4", "d");

      // when
      List<?> different = (List<?>) client.call("ZRANDMEMBER", "set", "3");
      List<?> any = (List<?>) client.call("ZRANDMEMBER", "set", "-50");

      // then
      assertThat(different).hasSize(3).doesNotHaveDuplicates();
      assertThat(any).hasSize(50).allSatisfy(each -> assertThat(each).isIn("a", "b", "c", "d"));
      assertThat(client.call("ZRANDMEMBER", "set")).isIn("a", "b", "c", "d");
    }
  }
}
