package io.kvstadium.transfer;

import static io.kvstadium.transfer.MoveModel.contents;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.Randomness;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that moves its store is killed again and again, in each state of the move. */
class MoveKillTest {
  private static final Duration WAIT = Duration.ofSeconds(20);

  @TempDir Path directory;

  @Test
  void nothingIsLostOfAMoveFromSqliteToRocksdb() throws Exception {
    kills("sqlite", "rocksdb", 5);
  }

  @Tag("full")
  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({"sqlite, rocksdb", "rocksdb, lmdb", "lmdb, sqlite"})
  void nothingIsLostInManyKills(String engine, String other) throws Exception {
    kills(engine, other, Randomness.times(40));
  }

  private void kills(String engine, String other, int rounds) throws Exception {
    long seed = Randomness.seed(engine + other);
    Random random = new Random(seed);
    String old = engine + ":" + directory.resolve("old");
    String to = other + ":" + directory.resolve("new");
    long acknowledged = 0;
    for (int round = 0; round < rounds; round++) {
      acknowledged = life(old, to, seed, acknowledged, random.nextInt(500));
      check(random.nextBoolean() ? old : to, seed, acknowledged);
    }

    try (Store store = Stadium.open(old)) { // both stores have it all
      Move move = Objects.requireNonNull(store.move());
      boolean over = move.status().state() == Move.State.OVER;
      Map<String, NavigableMap<String, String>> before = contents(store);
      awaitCopied(move);
      var _ = over ? move.back(WAIT, true) : move.over(WAIT, true);
      assertThat(contents(store)).isEqualTo(before);
    }
  }

  private static void awaitCopied(Move move) {
    while (Set.of(Move.State.CHECKING, Move.State.COPYING).contains(move.status().state())) {
      Thread.onSpinWait();
    }
  }

  /** Returns how many steps were acknowledged when it was killed. */
  private static long life(String old, String to, long seed, long from, int steps)
      throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Mover.class.getName(),
                old,
                to,
                Long.toString(seed),
                Long.toString(from))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long acknowledged = from;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.endsWith(".")) { // a whole one
          acknowledged = Long.parseLong(line.substring(0, line.length() - 1));
        }
        if (acknowledged == from + steps) {
          child.toHandle().destroyForcibly(); // which leaves what it printed
        }
      }
    } finally {
      child.destroyForcibly();
      child.waitFor();
    }
    assertThat(acknowledged).isGreaterThanOrEqualTo(from);
    return acknowledged;
  }

  private static void check(String url, long seed, long acknowledged) {
    MoveModel model = new MoveModel(seed);
    for (long i = 0; i < acknowledged; i++) {
      model.step(null);
    }
    Map<String, NavigableMap<String, String>> before = copy(model.tables());
    boolean atomic = model.step(null);
    Map<String, NavigableMap<String, String>> after = model.tables();
    try (Store store = Stadium.open(url, OpenOptions.DEFAULT.createIfMissing(false))) {
      Map<String, NavigableMap<String, String>> there = contents(store);
      if (atomic) {
        assertThat(there).as("after step %s", acknowledged).isIn(before, after);
      } else {
        assertBetween(before, there, after);
      }
    }
  }

  private static Map<String, NavigableMap<String, String>> copy(
      Map<String, NavigableMap<String, String>> tables) {
    Map<String, NavigableMap<String, String>> copy = new TreeMap<>();
    tables.forEach((name, entries) -> copy.put(name, new TreeMap<>(entries)));
    return copy;
  }

  /** Each entry is as it was before or after the step. */
  private static void assertBetween(
      Map<String, NavigableMap<String, String>> before,
      Map<String, NavigableMap<String, String>> there,
      Map<String, NavigableMap<String, String>> after) {
    for (String name : Set.of("default", "orders", "users")) {
      NavigableMap<String, String> had = before.getOrDefault(name, new TreeMap<>());
      NavigableMap<String, String> has = there.getOrDefault(name, new TreeMap<>());
      NavigableMap<String, String> gets = after.getOrDefault(name, new TreeMap<>());
      Set<String> keys = new HashSet<>(had.keySet());
      keys.addAll(has.keySet());
      keys.addAll(gets.keySet());
      for (String key : keys) {
        assertThat(has.get(key)).as("%s of %s", key, name).isIn(had.get(key), gets.get(key));
      }
    }
  }

  /** The process: takes one step after the other while its store moves, and back, and so on. */
  static final class Mover {
    private Mover() {}

    public static void main(String[] arguments) {
      long from = Long.parseLong(arguments[3]);
      MoveModel model = new MoveModel(Long.parseLong(arguments[2]));
      for (long i = 0; i < from; i++) {
        model.step(null);
      }
      Store store =
          Stadium.open(arguments[0] + "?move_rate=300k", OpenOptions.DEFAULT.moveTo(arguments[1]));
      Thread.ofPlatform().daemon().start(() -> change(Objects.requireNonNull(store.move())));
      for (long i = from; ; i++) {
        System.out.println(i + ".");
        model.step(store);
      }
    }

    private static void change(Move move) {
      while (true) {
        try {
          var _ =
              move.status().state() == Move.State.OVER
                  ? move.back(WAIT, false)
                  : move.over(WAIT, false);
        } catch (StadiumException e) {
          Thread.onSpinWait(); // not in step yet
        }
      }
    }
  }
}
