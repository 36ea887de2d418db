import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.BufferedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;

/** Writes a trace for which it is known what is best: a kind, a seed, a file. */
final class Planted {
  private static final int KEYS = 200_000;
  private static final int OPERATIONS = 900_000;
  private static final int VALUE = 200;

  private final TraceWriter writer;
  private final SplittableRandom random;
  private long time;

  private Planted(TraceWriter writer, long seed) {
    this.writer = writer;
    this.random = new SplittableRandom(seed);
  }

  public static void main(String[] arguments) throws Exception {
    try (TraceWriter writer =
        TraceWriter.begin(
            new BufferedOutputStream(Files.newOutputStream(Path.of(arguments[2]))),
            Map.of("program", "benchmarks/advise.sh"),
            null)) {
      Planted planted = new Planted(writer, Long.parseLong(arguments[1]));
      for (int i = 0; i < OPERATIONS; i++) {
        planted.operation(arguments[0], i);
      }
    }
  }

  private void operation(String kind, int i) throws Exception {
    if (!kind.equals("queue") && i < KEYS) {
      add(Kind.GET, Outcome.OK, 2L * i, VALUE); // so that all are there
      return;
    }
    switch (kind) {
      case "misses" -> add(Kind.GET, Outcome.MISS, 2L * random.nextInt(KEYS) + 1, -1);
      case "hot" -> {
        boolean hot = random.nextInt(100) > 0;
        add(Kind.GET, Outcome.OK, 2L * random.nextInt(hot ? KEYS / 100 : KEYS), VALUE);
      }
      case "scans" -> scan(key(2L * random.nextInt(KEYS - 2_000)), 1_000);
      case "queue" -> {
        long turn = i / 3;
        switch (i % 3) {
          case 0 -> add(Kind.PUT, Outcome.OK, turn + 50_000, VALUE);
          case 1 -> scan(null, 1); // from the front, over what was removed
          default -> add(Kind.DELETE, Outcome.OK, turn < 50_000 ? 0 : turn, -1);
        }
      }
      default -> throw new IllegalArgumentException(kind);
    }
  }

  private void add(Kind kind, Outcome outcome, long key, long length) throws Exception {
    time += 2_000;
    writer.append(Operation.of(kind, outcome, 0, "default", key(key), time, 1_000, length));
  }

  private void scan(byte[] from, long count) throws Exception {
    time += 2_000;
    writer.append(
        new Operation(
            Kind.SCAN, Outcome.OK, 0, "default", from, null, time, 1_000, -1, count, count, -1, 0));
  }

  private static byte[] key(long number) {
    return "key%012d".formatted(number).getBytes(StandardCharsets.US_ASCII);
  }
}
