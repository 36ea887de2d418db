package io.kvstadium.testing.promises;

import io.kvstadium.testing.Acknowledged;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Numbers in a store that loses nothing, while its operations are recorded beside it. */
record Recorded(Path directory) {
  private static final String ADDED = "added";
  private static final String RECORDED = "recorded";
  private static final int RECORDINGS = 200;
  private static final int OPERATIONS = 5;

  private String store() {
    return Numbers.durable("sqlite", directory);
  }

  private Path trace() {
    return directory.resolve("app.trace");
  }

  /** Continues the file again and again. */
  void work(Acknowledged acknowledged) {
    for (int i = 0; i < RECORDINGS; i++) {
      try (Numbers numbers = Numbers.open(store() + "&record=" + trace())) {
        for (int each = 0; each < OPERATIONS; each++) {
          acknowledged.add(ADDED + " " + numbers.add());
        }
      }
      acknowledged.add(RECORDED);
    }
  }

  /**
   * The recording has harmed nothing, and what is there of it can be read.
   *
   * @param whole whether what was recorded until a close must be there
   */
  void check(List<String> acknowledged, boolean whole) throws IOException {
    try (Numbers numbers = Numbers.open(store())) {
      numbers.check(Numbers.last(acknowledged, ADDED));
    }
    long recorded = OPERATIONS * acknowledged.stream().filter(RECORDED::equals).count();
    if (!Files.exists(trace()) && (recorded == 0 || !whole)) {
      return;
    }
    long puts = 0;
    try (TraceReader reader = new TraceReader(Files.newInputStream(trace()))) {
      for (Operation each = reader.next(); each != null; each = reader.next()) {
        puts += each.kind() == Kind.PUT ? 1 : 0;
      }
    }
    if (whole && puts < recorded) {
      throw new AssertionError("%d recorded, %d there".formatted(recorded, puts));
    }
  }
}
