package io.kvstadium.engine.sparkey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.testsupport.Randomness;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that loads one generation after another is killed: the store then holds one of them
 * whole, and none that is older than the last acknowledged.
 */
class LoadKillTest {
  private static final int ENTRIES = 3_000;
  private static final int KILLS = 8;

  @TempDir Path directory;

  /** Every generation replaces all entries, the even ones with each key twice. */
  private static List<Entry<byte[], byte[]>> entries(int generation) {
    List<Entry<byte[], byte[]>> entries = new ArrayList<>();
    for (int round = generation % 2; round < 2; round++) {
      int last = round;
      IntStream.range(0, ENTRIES)
          .mapToObj(
              i -> new Entry<>(bytes("k" + i), bytes(last == 0 ? "replaced" : "" + generation)))
          .forEach(entries::add);
    }
    return entries;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /**
   * The child process: continues from the generation that is there, and prints each one it has
   * loaded.
   */
  public static void main(String[] args) {
    try (Store store = Stadium.open(args[0])) {
      for (int generation = generation(store.table()) + 1; ; generation++) {
        store.table().bulkLoad(entries(generation).iterator(), false);
        System.out.println(generation);
        System.out.flush();
      }
    }
  }

  /** The generation that the table holds, 0 if it is empty; fails if it is not whole. */
  private static int generation(Table<byte[], byte[]> table) {
    Set<String> found = new HashSet<>();
    Set<String> keys = new HashSet<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
      while (cursor.next()) {
        assertThat(keys.add(new String(cursor.key(), UTF_8))).isTrue();
        byte[] value = table.get(cursor.key());
        assertThat(value).isEqualTo(cursor.value());
        found.add(new String(value, UTF_8));
      }
    }
    if (found.isEmpty()) {
      return 0;
    }
    assertThat(keys).hasSize(ENTRIES);
    assertThat(found).hasSize(1);
    return Integer.parseInt(found.iterator().next());
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "power"})
  void loads_are_there_whole_or_not_at_all(String level) throws Exception {
    String url = "sparkey:" + directory + "?durability=" + level;
    Random random = new Random(Randomness.seed("loads/" + level));
    int acknowledged = 0;
    for (int kill = 0; kill < Randomness.times(KILLS); kill++) {
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "--sun-misc-unsafe-memory-access=allow",
                  "-cp",
                  System.getProperty("java.class.path"),
                  LoadKillTest.class.getName(),
                  url)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader out =
          new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
        int patience = 1 + random.nextInt(8);
        for (int i = 0; i < patience; i++) {
          acknowledged = Integer.parseInt(out.readLine());
        }
        long until = System.nanoTime() + random.nextInt(20_000_000);
        while (System.nanoTime() < until) {
          Thread.onSpinWait(); // kill it at any point of the next load
        }
        child.toHandle().destroyForcibly();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          acknowledged = Integer.parseInt(line);
        }
      } finally {
        child.destroyForcibly();
      }
      child.waitFor();
      try (Store store = Stadium.open(url)) {
        assertThat(generation(store.table())).isBetween(acknowledged, acknowledged + 1);
      }
    }
  }
}
