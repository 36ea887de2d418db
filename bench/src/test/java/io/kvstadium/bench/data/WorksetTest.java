package io.kvstadium.bench.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.data.GeneratedWorkset.Order;
import io.kvstadium.bench.data.draw.Laws;
import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.store.Entry;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorksetTest {
  @TempDir private Path dir;

  @ParameterizedTest
  @EnumSource(Order.class)
  void aGeneratedWorksetIsWhatItLoads(Order order) {
    // given
    Workset workset = generated(order);

    // when
    Map<String, byte[]> loaded = load(workset);

    // then
    assertThat(loaded).hasSize(1000);
    checkAgainst(workset, loaded);
    assertThat(workset.describe()).containsEntry("entries", 1000L).containsEntry("seed", 5L);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 400, 10_000})
  void aDatasetWorksetIsWhatItLoads(int sampled) throws IOException {
    // given: 1000 keys, of which 100 come twice with another value
    Path file = dir.resolve("x.jsonl");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < 1100; i++) {
        out.write("{\"id\":\"k" + i % 1000 + "\",\"v\":\"" + "x".repeat(i % 97) + i + "\"}\n");
      }
    }
    EntryFile dataset = DatasetTest.copy(file, "id");
    var limits = new DatasetIndex.Limits(sampled, 5000, 1 << 20);

    // when
    DatasetIndex index = DatasetIndex.build(dataset, limits, 3);
    Workset workset = new DatasetWorkset(dataset, index);
    Map<String, byte[]> loaded = load(workset);

    // then
    assertThat(workset.count()).isEqualTo(1100);
    assertThat(workset.size()).isEqualTo(Math.min(sampled, 1000));
    assertThat(index.findings()).hasSize(sampled < 1000 ? 2 : 1);
    assertThat(index.keyLengths()).isEqualTo(new Lengths(2, 4, 4, 4, 4180));
    assertThat(workset.describe()).containsEntry("key", "id").containsEntry("duplicates", 100L);
    checkAgainst(workset, loaded);
  }

  @Test
  void samplesAreUniformOverTheData() throws IOException {
    // given
    Path file = dir.resolve("x.csv");
    StringBuilder text = new StringBuilder("id,v\n");
    for (int i = 0; i < 20_000; i++) {
      text.append(i).append(',').append(i).append('\n');
    }
    Files.writeString(file, text);
    EntryFile dataset = DatasetTest.copy(file, "id");

    // when
    var limits = new DatasetIndex.Limits(5000, 1000, 100);
    var index = DatasetIndex.build(dataset, limits, 3);
    Workset workset = new DatasetWorkset(dataset, index);
    long[] counts = new long[20];
    for (int i = 0; i < workset.size(); i++) {
      counts[Integer.parseInt(new String(workset.key(i), UTF_8)) / 1000]++;
    }

    // then
    assertThat(Laws.pValue(counts, _ -> 250)).isGreaterThan(Laws.UNLIKELY);
    assertThat(workset.describe()).containsEntry("duplicates, at least", 0L);
  }

  /** A file several times the size of the heap can be indexed. */
  @Tag("full")
  @Test
  void dataLargerThanTheHeapIsIndexed() throws IOException, InterruptedException {
    // given
    Path file = dir.resolve("large.jsonl");
    int lines = 60_000;
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < lines; i++) {
        out.write("{\"id\":" + i + ",\"text\":\"" + "z".repeat(2000) + "\"}\n");
      }
    }

    DatasetTest.copy(file, "id");

    // when
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx24m",
                "-cp",
                System.getProperty("java.class.path"),
                DatasetProbe.class.getName(),
                dir.resolve("copy").toString(),
                "small")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    // then
    assertThat(process.waitFor()).isZero();
    assertThat(output).startsWith(lines + " ").endsWith(" 0\n");
  }

  private static Workset generated(Order order) {
    return new GeneratedWorkset(
        KeySpec.of(KeySpec.Form.RANDOM_STRING),
        ValueSpec.bytes(SizeDistribution.parse("90..110")),
        1000,
        0,
        order,
        5);
  }

  private static Map<String, byte[]> load(Workset workset) {
    Map<String, byte[]> loaded = new HashMap<>();
    long count = 0;
    try (EntryIterator entries = workset.entries()) {
      while (entries.hasNext()) {
        Entry<byte[], byte[]> entry = entries.next();
        loaded.put(KeysTest.hex(entry.key()), entry.value());
        count++;
      }
    }
    assertThat(count).isEqualTo(workset.count());
    return loaded;
  }

  private static void checkAgainst(Workset workset, Map<String, byte[]> loaded) {
    for (int i = 0; i < workset.size(); i++) {
      byte[] value = loaded.get(KeysTest.hex(workset.key(i)));
      assertThat(value).isNotNull();
      assertThat(workset.matches(i, 0, value)).isTrue();
      assertThat(workset.value(i, 0)).isEqualTo(value);
      byte[] updated = workset.value(i, 2);
      assertThat(workset.matches(i, 2, updated)).isTrue();
      assertThat(workset.matchesAny(i, 1, 3, updated)).isTrue();
      assertThat(workset.matchesAny(i, 3, 5, updated)).isFalse();
      assertThat(workset.matches(i, 2, value)).isFalse();
    }
  }
}
