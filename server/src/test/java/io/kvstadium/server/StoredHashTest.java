package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be compared with another server: places in a scan, randomness, what is stored. */
final class StoredHashTest {
  private static final int COUNT = 100;

  private static List<String> names() {
    return IntStream.range(0, COUNT).mapToObj("m%03d"::formatted).toList();
  }

  private static void fill(RespClient client, String key) {
    List<String> request = new ArrayList<>(List.of("SADD", key));
    request.addAll(names());
    client.call(request.toArray(String[]::new));
  }

  @SuppressWarnings("unchecked")
  private static List<String> strings(Object reply) {
    return (List<String>) reply;
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void aWalkMeetsEachMemberOnceWhateverIsRemovedBehindIt(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      // given
      fill(client, "set");
      List<String> met = new ArrayList<>();

      // when
      String cursor = "0";
      do {
        List<?> reply = (List<?>) client.call("SSCAN", "set", cursor, "COUNT", "7");
        cursor = (String) reply.getFirst();
        List<String> part = strings(reply.getLast());
        met.addAll(part);
        client.call("SREM", "set", part.getLast());
      } while (!cursor.equals("0"));

      // then
      assertThat(met).isEqualTo(names());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "rocksdb:"})
  void aCursorOfAnotherKeyGoesOnBehindItsName(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      // given
      fill(client, "set");
      client.call("HSET", "hash", "a", "1", "m050", "2", "z", "3");
      List<?> first = (List<?>) client.call("SSCAN", "set", "0", "COUNT", "50");

      // when
      Object reply = client.call("HSCAN", "hash", (String) first.getFirst());

      // then
      assertThat(reply).isEqualTo(List.of("0", List.of("m050", "2", "z", "3")));
      // one that nobody gave begins again: nothing is missed
      assertThat(client.call("HSCAN", "hash", "12345"))
          .isEqualTo(List.of("0", List.of("a", "1", "m050", "2", "z", "3")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void randomMembersAreMembersAndEachIsMet(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      // given
      fill(client, "set");
      Set<Object> met = new HashSet<>();

      // when
      for (int i = 0; i < 30 * COUNT && met.size() < COUNT; i++) {
        met.add(client.call("SRANDMEMBER", "set"));
      }

      // then
      assertThat(met).containsExactlyInAnyOrderElementsOf(names());
      assertThat(strings(client.call("SRANDMEMBER", "set", "30")))
          .hasSize(30)
          .doesNotHaveDuplicates()
          .isSubsetOf(names());
      assertThat(strings(client.call("SRANDMEMBER", "set", "-300")))
          .hasSize(300)
          .isSubsetOf(names());
      assertThat(strings(client.call("SPOP", "set", "40"))).hasSize(40).doesNotHaveDuplicates();
      assertThat(client.call("SCARD", "set")).isEqualTo(60L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void membersTakenInOneGoAreDifferentOnes(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      // given
      fill(client, "set");
      List<List<byte[]>> requests =
          IntStream.range(0, COUNT).mapToObj(_ -> Script.words("SPOP set")).toList();

      // when
      List<Reply> taken = client.pipeline(requests);

      // then
      assertThat(taken.stream().map(Reply::value)).containsExactlyInAnyOrderElementsOf(names());
      assertThat(client.call("EXISTS", "set")).isEqualTo(0L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb:", "rocksdb:"})
  void hashesAndSetsAreThereAfterARestart(String engine) {
    try (TestServer server = TestServer.start(engine)) {
      // given
      try (RespClient client = server.connect()) {
        client.call("HSET", "hash", "f", "v", "empty", "");
        fill(client, "set");
        client.call("DEL", "set");
        client.call("SADD", "set", "other");
      }

      // when
      server.restart();

      // then
      try (RespClient client = server.connect()) {
        client.call("SADD", "new", "x");
        assertThat(client.call("HGETALL", "hash")).isEqualTo(List.of("empty", "", "f", "v"));
        assertThat(client.call("SMEMBERS", "set")).isEqualTo(List.of("other"));
        assertThat(client.call("SMEMBERS", "new")).isEqualTo(List.of("x"));
        assertThat(client.call("DBSIZE")).isEqualTo(3L);
      }
    }
  }

  @Test
  void aNameThatTheEngineCannotHoldFailsOnlyItsOwnCommand() {
    try (TestServer server = TestServer.start("lmdb:");
        RespClient client = server.connect()) {
      // given
      String tooLong = "x".repeat(600);
      client.call("HSET", "hash", "f", "v");

      // when
      List<Reply> replies =
          client.pipeline(
              List.of(
                  Script.words("HSET hash g w " + tooLong + " v"),
                  Script.words("HGET hash " + tooLong),
                  Script.words("SADD set a"),
                  Script.words("HGETALL hash")));

      // then
      assertThat(replies.getFirst().isError()).isTrue();
      assertThat(replies.get(1).value()).isNull();
      assertThat(replies.get(2).value()).isEqualTo(1L);
      assertThat(replies.get(3).value()).isEqualTo(List.of("f", "v"));
    }
  }

  /** Neither a lonely name nor the short ones, which begin longer ones, come up more often. */
  @Test
  void amongManyEachIsAboutAsLikelyAsTheOthers() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      List<String> request = new ArrayList<>(List.of("SADD", "set", "admin:1"));
      IntStream.range(1, 2_000).forEach(i -> request.add("user:" + i));
      client.call(request.toArray(String[]::new));

      int lonely = 0;
      int small = 0;
      for (int i = 0; i < 2_000; i++) {
        String found = String.valueOf(client.call("SRANDMEMBER", "set"));
        lonely += found.startsWith("admin") ? 1 : 0;
        small += found.length() < "user:100".length() ? 1 : 0;
      }

      // then: 1 and 110 are expected; 95 and 340 come where nothing is passed over
      assertThat(lonely).isLessThan(40);
      assertThat(small).isBetween(40, 170);
    }
  }

  /** One that stands apart came up once in 26 times. */
  @Test
  void amongFewEachIsAsLikelyAsTheOthers() {
    try (TestServer server = TestServer.start("lmdb:");
        RespClient client = server.connect()) {
      client.call("SET", "a", "");
      client.call("SADD", "set", "a");
      client.call("HSET", "hash", "a", "");
      for (int i = 0; i < 200; i++) {
        client.call("SET", "z" + i, "");
        client.call("SADD", "set", "z" + i);
        client.call("HSET", "hash", "z" + i, "");
      }

      for (String[] draw :
          new String[][] {{"RANDOMKEY"}, {"SRANDMEMBER", "set"}, {"HRANDFIELD", "hash"}}) {
        int found = 0;
        for (int i = 0; i < 2_000; i++) {
          found += "a".equals(client.call(draw)) ? 1 : 0;
        }
        assertThat(found).as(draw[0]).isLessThan(40); // 10 are to be expected
      }
    }
  }
}
