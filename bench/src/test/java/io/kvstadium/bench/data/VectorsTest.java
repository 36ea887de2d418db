package io.kvstadium.bench.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvstadium.bench.data.GeneratedWorkset.Order;
import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.data.draw.Mixing;
import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.bench.suite.DataSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/**
 * Entries, draws and histograms as {@code workers/vectors.json} has them, which workers in other
 * languages must reproduce: earlier measurements would not be comparable if they changed.
 */
class VectorsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int SHOWN = 12;

  @Test
  void areAsTheyWere() throws IOException {
    Path file = Path.of("").toAbsolutePath().resolve("../workers/vectors.json").normalize();
    JsonNode made = MAPPER.readTree(MAPPER.writeValueAsString(made()));
    Path fresh = Files.createDirectories(Path.of("target")).resolve("vectors.json");
    MAPPER.writerWithDefaultPrettyPrinter().writeValue(fresh.toFile(), made);

    assertThat(made)
        .as("%s, or %s if it was to change", file, fresh)
        .isEqualTo(MAPPER.readTree(file.toFile()));
  }

  private static ObjectNode made() {
    ObjectNode all = MAPPER.createObjectNode();
    ArrayNode data = all.putArray("data");
    Stream.of(
            data("uint32", Order.SEQUENTIAL, ValueSpec.text(size("38..2038"))),
            data("uint64", Order.RANDOM, ValueSpec.bytes(size("0..40"))),
            data("digits:8", Order.RANDOM, ValueSpec.bytes(size("10"))),
            data("random-string:20", Order.RANDOM, ValueSpec.text(size("30"))),
            data("random-string:5..14", Order.SEQUENTIAL, ValueSpec.text(size("7"))),
            data("random-bytes:16", Order.RANDOM, ValueSpec.bytes(size("40..60"))),
            data("random-bytes:3", Order.RANDOM, ValueSpec.bytes(size("70000"))),
            data("random-bytes:9..21", Order.RANDOM, ValueSpec.bytes(size("pareto:25.45,0.2615"))),
            data("random-bytes", Order.RANDOM, ValueSpec.bytes(size("20..40"))))
        .forEach(spec -> data.add(entries(spec, -77)));
    ArrayNode draws = all.putArray("draws");
    for (String law :
        List.of(
            "sequential",
            "shuffled",
            "uniform",
            "zipfian:0.99",
            "zipfian:1.2",
            "latest:0.5",
            "only:5",
            "key-ranges:30")) {
      draws.add(draws(law, 1_000));
      draws.add(draws(law, 7));
    }
    ArrayNode growing = all.putArray("growing");
    for (String law : List.of("uniform", "zipfian:0.99", "latest:0.99")) {
      growing.add(growing(law));
    }
    ArrayNode counts = all.putArray("counts");
    for (String law : List.of("100", "1..50", "pareto:14.236,2.517")) {
      ObjectNode node = counts.addObject().put("law", law).put("draws", 9);
      IntSupplier supplier = SizeDistribution.parse(law).counts(9, Distribution.Lane.ONLY);
      ArrayNode list = node.putArray("counts");
      for (int i = 0; i < SHOWN; i++) {
        list.add(supplier.getAsInt());
      }
    }
    all.set("histogram", histogram());
    return all;
  }

  private static SizeDistribution size(String text) {
    return SizeDistribution.parse(text);
  }

  private static DataSpec data(String keys, Order order, ValueSpec values) {
    return new DataSpec(700, KeySpec.parse(keys), order, values);
  }

  private static ObjectNode entries(DataSpec spec, long seed) {
    ObjectNode node = MAPPER.createObjectNode().put("seed", seed);
    node.set("data", MAPPER.valueToTree(spec));
    GeneratedWorkset workset = spec.workset(seed);
    ArrayNode list = node.putArray("entries");
    try (EntryIterator entries = workset.entries()) {
      for (int i = 0; i < SHOWN; i++) {
        var entry = entries.next();
        list.addArray().add(hex(entry.key())).add(hash(entry.value()));
      }
    }
    ArrayNode updated = node.putArray("updated");
    for (int i = 0; i < SHOWN; i++) {
      updated.addArray().add(hex(workset.key(i))).add(hash(workset.value(i, 3)));
    }
    return node;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** The length and a hash that looks at every byte. */
  private static String hash(byte[] bytes) {
    return bytes.length + ":" + Long.toHexString(Mixing.hash(bytes));
  }

  private static ObjectNode draws(String law, long n) {
    ObjectNode node =
        MAPPER.createObjectNode().put("law", law).put("n", n).put("placement", 5).put("draws", 9);
    Indexes indexes = Distribution.parse(law).over(n, 5, 9);
    ArrayNode list = node.putArray("indexes");
    for (int i = 0; i < SHOWN; i++) {
      list.add(indexes.next());
    }
    return node;
  }

  /** A population that grows by one after each draw. */
  private static ObjectNode growing(String law) {
    long[] drawn = {0};
    Indexes indexes =
        Distribution.parse(law).over(() -> 100 + drawn[0], 1_000, 5, 9, Distribution.Lane.ONLY);
    ObjectNode node = MAPPER.createObjectNode().put("law", law).put("n", 100).put("room", 1_000);
    node.put("placement", 5).put("draws", 9);
    ArrayNode list = node.putArray("indexes");
    for (int i = 0; i < 200; i++) {
      long index = indexes.next();
      drawn[0]++;
      if (i % 10 == 0) {
        list.add(index);
      }
    }
    return node;
  }

  /** What follows the header, whose highest value may differ. */
  private static ObjectNode histogram() {
    long[] values = {0, 1, 1, 2, 2_047, 2_048, 2_049, 4_096, 99_999, 99_999, 1_234_567_890_123L};
    Histogram histogram = new Histogram(3);
    ObjectNode node = MAPPER.createObjectNode();
    ArrayNode list = node.putArray("values");
    for (long value : values) {
      histogram.recordValue(value);
      list.add(value);
    }
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoByteBuffer(buffer);
    byte[] payload = Arrays.copyOfRange(buffer.array(), 40, length);
    return node.put("payload", Base64.getEncoder().encodeToString(payload));
  }
}
