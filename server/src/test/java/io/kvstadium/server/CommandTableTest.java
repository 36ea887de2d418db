package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is known of commands before they run, and who may run them, is as in Redis. */
final class CommandTableTest {
  /** Newer than the Redis used for comparison. */
  private static final Set<String> NEWER = Set.of("zrank", "zrevrank");

  private static final Set<String> COMPARED = Set.of("denyoom", "movablekeys");

  private static @Nullable Oracle oracle;
  private static TestServer server;
  private static RespClient ours;
  private static RespClient theirs;

  @BeforeAll
  static void start() {
    oracle = Oracle.start();
    theirs = oracle.connect();
    server = TestServer.start();
    ours = server.connect();
  }

  @AfterAll
  static void stop() {
    if (oracle == null) {
      return; // JUnit comes here also where it is not installed
    }
    ours.close();
    server.close();
    theirs.close();
    oracle.close();
  }

  /** A command as COMMAND shows it. */
  private record Shown(
      String arity, List<String> keys, Set<String> categories, Set<String> flags) {}

  private static Map<String, Shown> commands(RespClient client) {
    Map<String, Shown> found = new TreeMap<>();
    add(client.reply("command"), found);
    return found;
  }

  private static void add(Reply list, Map<String, Shown> found) {
    for (Reply each : list.parts()) {
      List<Reply> parts = each.parts();
      found.put(
          parts.get(0).text(),
          new Shown(
              parts.get(1).text(),
              parts.subList(3, 6).stream().map(Reply::text).toList(),
              new HashSet<>(parts.get(6).parts().stream().map(Reply::text).toList()),
              parts.get(2).parts().stream()
                  .map(Reply::text)
                  .filter(COMPARED::contains)
                  .collect(Collectors.toSet())));
      add(parts.get(9), found);
    }
  }

  private static boolean isRefused(String name) {
    return ours.reply("command", "docs", name).toString().contains("Refused: ");
  }

  @Test
  void aritiesKeysAndCategoriesAreThoseOfRedis() {
    // given
    Map<String, Shown> here = commands(ours);
    Map<String, Shown> there = commands(theirs);
    List<String> differing = new ArrayList<>();

    // when
    here.forEach((name, own) -> {
      Shown other = there.get(name);
      if (other != null && !NEWER.contains(name) && !isRefused(name) && !own.equals(other)) {
        differing.add(name + ": " + own + ", and in Redis " + other);
      }
    });

    // then
    assertThat(differing).isEmpty();
    assertThat(here.keySet()).contains("client|list", "object|encoding").hasSizeGreaterThan(250);
  }

  @Test
  void categoriesAreThoseOfRedisAndOneForTables() {
    // when
    Set<String> here = texts(ours.reply("acl", "cat"));
    Set<String> there = texts(theirs.reply("acl", "cat"));

    // then
    there.add("tables");
    assertThat(here).isEqualTo(there);
  }

  private static Set<String> texts(Reply list) {
    return new HashSet<>(list.parts().stream().map(Reply::text).toList());
  }

  /** Requests for every command with keys, and who may send them by rules on keys. */
  @Test
  void whoMayReadOrWriteAKeyMaySendWhatRedisLetsThem() {
    // given
    for (RespClient each : List.of(ours, theirs)) {
      assertThat(each.reply("acl", "setuser", "u", "on", "nopass", "+@all").raw()).startsWith("+");
      each.reply("acl", "setuser", "u", "%R~r*", "%W~w*", "%RW~b*");
    }
    List<String[]> requests = new ArrayList<>();
    Set<String> theirNames = commands(theirs).keySet(); // not KV.*, nor what came after 7.0
    commands(ours)
        .forEach((name, own) -> {
          if (!isRefused(name) && theirNames.contains(name)) {
            requests.addAll(requests(name, Integer.parseInt(own.arity()), own.keys()));
          }
        });
    for (String[] more : MORE) {
      requests.add(more);
    }

    // when
    List<String> differing = new ArrayList<>();
    int denied = 0;
    for (String[] each : requests) {
      boolean here = allowed(ours, "u", each);
      boolean there = allowed(theirs, "u", each);
      denied += there ? 0 : 1;
      if (here != there) {
        differing.add(String.join(" ", each) + (here ? ": allowed" : ": denied") + " here only");
      }
    }

    // then
    assertThat(differing).isEmpty();
    assertThat(denied).isBetween(requests.size() / 4, requests.size() * 3 / 4);
  }

  @Test
  void whatARequestDoesToItsKeysIsShownAsInRedis() {
    List<String[]> requests = new ArrayList<>(List.of(MORE));
    commands(ours)
        .forEach((name, own) -> {
          if (!isRefused(name) && !name.startsWith("kv.")) {
            requests.addAll(requests(name, Integer.parseInt(own.arity()), own.keys()));
          }
        });

    List<String> differing = new ArrayList<>();
    for (String[] each : requests) {
      List<String> words = new ArrayList<>(List.of("command", "getkeysandflags"));
      words.addAll(List.of(each));
      String[] request = words.toArray(String[]::new);
      Reply here = ours.reply(request);
      Reply there = theirs.reply(request);
      boolean twice = words.contains("store") && words.contains("storedist"); // in any order
      if (!there.isError() && !twice && !here.raw().equals(there.raw())) {
        differing.add(String.join(" ", each) + ": " + here + ", and in Redis " + there);
      }
    }

    assertThat(differing).isEmpty();
  }

  /** Keys at places that depend on the request. */
  private static final String[][] MORE = {
    {"set", "w1", "v", "get"},
    {"set", "b1", "v", "get"},
    {"set", "w1", "get"},
    {"set", "w1", "v", "ex", "10"},
    {"sort", "r1", "store", "w1"},
    {"sort", "r1", "store", "r2"},
    {"sort", "w1", "store", "w1"},
    {"sort", "r1", "store", "r2", "store", "w1"},
    {"sort", "r1", "store", "w1", "store", "r2"},
    {"sort", "r1", "limit", "0", "store", "store", "w1"},
    {"sort", "r1", "by", "store", "store", "w1"},
    {"georadius", "r1", "1", "1", "1", "m", "store", "w1"},
    {"georadius", "r1", "1", "1", "1", "m", "store", "r1"},
    {"bitfield", "r1", "get", "u8", "0"},
    {"bitfield", "r1", "get", "u8", "0", "incrby", "u8", "0", "1"},
    {"bitfield", "b1", "set", "u8", "0", "1"},
    {"georadius", "r1", "1", "1", "1", "m", "storedist", "r1", "store", "w1"},
    {"georadiusbymember", "r1", "store", "1", "m"},
    {"georadiusbymember", "r1", "store", "1", "m", "store", "w1"},
    {"georadiusbymember", "r1", "m", "1", "m", "storedist", "r2"},
    {"zunionstore", "w1", "2", "r1", "r2"},
    {"zunionstore", "w1", "2", "r1", "w2"},
    {"zunionstore", "r1", "1", "r1"},
    {"lmpop", "1", "b1", "left"},
    {"lmpop", "1", "r1", "left"},
    {"blmpop", "0", "2", "b1", "w1", "left"},
    {"blmpop", "0", "1", "b1", "left"},
    {"zinter", "2", "r1", "r2"},
    {"zinter", "2", "r1", "w2"},
    {"sintercard", "1", "r1"},
    {"sintercard", "1", "w1"},
    {"xread", "count", "2", "streams", "r1", "w1", "0", "0"},
    {"xread", "streams", "r1", "r2", "0", "0"},
    {"xreadgroup", "group", "streams", "c", "streams", "r1", ">"},
    {"xreadgroup", "group", "g", "c", "streams", "w1", ">"},
    {"xgroup", "create", "w1", "g", "0"},
    {"xgroup", "create", "r1", "g", "0"},
    {"xgroup", "destroy", "b1", "g"},
    {"xgroup", "delconsumer", "w1", "g", "c"},
    {"xgroup", "createconsumer", "w1", "g", "c"},
    {"xgroup", "setid", "w1", "g", "0"},
    {"xinfo", "stream", "r1"},
    {"xinfo", "groups", "w1"},
    {"memory", "usage", "r1"},
    {"memory", "usage", "x1"},
    {"object", "encoding", "w1"},
    {"object", "encoding", "x1"},
  };

  /** With each kind of key at the fixed places of a command. */
  private static List<String[]> requests(String name, int arity, List<String> keys) {
    List<String[]> found = new ArrayList<>();
    int first = Integer.parseInt(keys.get(0));
    if (first == 0 || name.contains("|")) {
      return found;
    }
    int last = Integer.parseInt(keys.get(1));
    int step = Integer.parseInt(keys.get(2));
    String[] kinds = {"r1", "w1", "b1", "x1"};
    for (String one : kinds) {
      for (String other : kinds) {
        int length = Math.max(Math.abs(arity), Math.max(first, last) + 1) + (last < 0 ? step : 0);
        String[] words = new String[length];
        words[0] = name;
        for (int i = 1; i < length; i++) {
          boolean isKey = i >= first && (last < 0 || i <= last) && (i - first) % step == 0;
          words[i] = !isKey ? "1" : i == first ? one : other;
        }
        found.add(words);
      }
    }
    return found;
  }

  private static boolean allowed(RespClient client, String user, String[] request) {
    List<String> words = new ArrayList<>(List.of("acl", "dryrun", user));
    words.addAll(List.of(request));
    Reply reply = client.reply(words.toArray(String[]::new));
    assertThat(reply.isError()).as("%s: %s", words, reply).isFalse();
    return "OK".equals(reply.text());
  }

  @Test
  void whoLacksACategoryIsDeniedWhatRedisDenies() {
    // given
    Map<String, Shown> here = commands(ours);
    Set<String> there = commands(theirs).keySet();
    List<String[]> requests = new ArrayList<>();
    here.forEach((name, own) -> {
      boolean isOne = !here.containsKey(name + "|help"); // and not several
      if (isOne && there.contains(name) && !isRefused(name)) {
        requests.add(request(name, Math.abs(Integer.parseInt(own.arity()))));
      }
    });

    // when
    List<String> differing = new ArrayList<>();
    for (String category : texts(theirs.reply("acl", "cat"))) {
      for (RespClient each : List.of(ours, theirs)) {
        each.reply("acl", "setuser", "c", "reset", "~*", "&*", "+@all", "-@" + category);
      }
      for (String[] each : requests) {
        boolean allowed = allowed(ours, "c", each);
        if (allowed != allowed(theirs, "c", each)) {
          differing.add(
              "-@%s %s: %s here only"
                  .formatted(category, String.join(" ", each), allowed ? "allowed" : "denied"));
        }
      }
    }

    // then
    assertThat(differing).isEmpty();
    assertThat(requests).hasSizeGreaterThan(200);
  }

  private static String[] request(String name, int length) {
    List<String> words = new ArrayList<>(List.of(name.split("\\|")));
    while (words.size() < length) {
      words.add("1");
    }
    return words.toArray(String[]::new);
  }
}
