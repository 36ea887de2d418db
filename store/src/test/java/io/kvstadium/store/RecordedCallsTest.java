package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.record.CallRecorder;
import io.kvstadium.store.record.RecorderProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A call is recorded as what it was, however an engine carries it out. */
class RecordedCallsTest {
  /** Recordings that are lists, by file. */
  public static final class Notes implements RecorderProvider {
    @Override
    public void check(Recording.Options options) {}

    @Override
    public CallRecorder start(Recording.Options options, Map<String, String> header) {
      TOLD.clear();
      return new Note(options.file());
    }
  }

  private static final List<String> TOLD = new CopyOnWriteArrayList<>();

  private record Note(Path file) implements CallRecorder {
    @Override
    public void entry(
        CallKind kind,
        CallOutcome outcome,
        String table,
        byte[] key,
        long begun,
        long length,
        long ttl) {
      TOLD.add(kind + " " + outcome + " " + key[0] + " " + length);
    }

    @Override
    public void value(String table, byte[] value) {}

    @Override
    public void range(
        CallKind kind, String table, Range<byte[]> range, long begun, long entries, long bytes) {
      TOLD.add(kind + " " + (kind == CallKind.SCAN ? entries : ""));
    }

    @Override
    public void bound(CallKind kind, CallOutcome outcome, String table, long begun) {
      TOLD.add(kind + " " + outcome);
    }

    @Override
    public void batch(CallOutcome outcome, long begun, List<Part> parts) {
      TOLD.add("BATCH " + parts.size());
    }

    @Override
    public boolean isRecording() {
      return true;
    }

    @Override
    public long dropped() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) number};
  }

  private static List<String> told(FakeEngine engine) {
    try (Store store =
        Engines.of(List.of(engine))
            .open(
                engine.persistent ? "fake:?durability=none" : "fake:",
                OpenOptions.DEFAULT.record(Path.of("of-no-consequence")))) {
      Table<byte[], byte[]> table = store.table();
      table.putIfAbsent(key(1), new byte[3]);
      table.putIfAbsent(key(1), new byte[3]);
      table.replace(key(1), new byte[3], new byte[4]);
      table.increment(key(2), 5);
      table.compute(key(2), _ -> null);
      table.put(key(3), new byte[5]);
      table.head(key(3), new byte[1]);
      table.delete(Range.atLeast(key(2)));
      table.bulkLoad(List.of(new Entry<>(key(4), new byte[6])).iterator(), true);
      table.clear();
      table.count(Range.atLeast(key(1)));
    }
    return List.copyOf(TOLD);
  }

  @Test
  void theSameOnEachEngine() {
    List<String> expected =
        List.of(
            "PUT_IF OK 1 3",
            "PUT_IF MISS 1 -1",
            "PUT_IF OK 1 4",
            "PUT_IF OK 2 8",
            "GET OK 2 8",
            "DELETE_IF OK 2 -1",
            "PUT OK 3 5",
            "GET OK 3 5",
            "DELETE_RANGE ",
            "BATCH 1",
            "CLEAR OK",
            "SCAN 0");

    assertThat(told(FakeEngine.complete())).isEqualTo(expected);
    assertThat(told(new FakeEngine())).isEqualTo(expected);
    FakeEngine plain = new FakeEngine();
    plain.lacks =
        Set.of(
            Capability.OPTIMISTIC_TRANSACTION,
            Capability.PESSIMISTIC_TRANSACTION,
            Capability.BATCH);
    assertThat(told(plain)).isEqualTo(expected);
  }
}
