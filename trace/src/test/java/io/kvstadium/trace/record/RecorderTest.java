package io.kvstadium.trace.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Recording;
import io.kvstadium.store.record.CallRecorder;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.TraceReader;
import io.kvstadium.trace.TraceWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("app.trace");
  }

  private static byte[] key(long thread, int number) {
    return ByteBuffer.allocate(12).putLong(thread).putInt(number).array();
  }

  private List<Operation> read() throws IOException {
    List<Operation> operations = new ArrayList<>();
    try (TraceReader reader = new TraceReader(Files.newInputStream(file))) {
      for (Operation next = reader.next(); next != null; next = reader.next()) {
        operations.add(next);
      }
      assertThat(reader.isComplete()).isTrue();
      assertThat(reader.damaged()).isZero();
    }
    return operations;
  }

  /** More threads than rings, platform and virtual ones. */
  @Test
  void eachThreadsOperationsAreInOrderAndNoneIsLostUncounted() throws Exception {
    int threads = 40;
    int each = 5_000;
    long dropped;
    try (Recorder recorder = Recorder.start(Recording.Options.of(file), Map.of())) {
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        long number = i;
        Runnable calls =
            () -> {
              for (int call = 0; call < each; call++) {
                recorder.entry(
                    CallRecorder.CallKind.GET,
                    CallRecorder.CallOutcome.OK,
                    "t" + number % 3,
                    key(number, call),
                    System.nanoTime(),
                    7,
                    -1);
              }
            };
        all.add(i % 2 == 0 ? Thread.startVirtualThread(calls) : Thread.ofPlatform().start(calls));
      }
      for (Thread thread : all) {
        thread.join();
      }
      dropped = recorder.dropped();
    }

    long lost = 0;
    long found = 0;
    Map<Long, Integer> next = new HashMap<>();
    Map<Integer, Long> owners = new HashMap<>();
    Map<Integer, Long> ends = new HashMap<>();
    for (Operation operation : read()) {
      if (operation.kind() == Kind.LOST) {
        lost += operation.count();
        continue;
      }
      found++;
      ByteBuffer key = ByteBuffer.wrap(Objects.requireNonNull(operation.key()));
      long owner = key.getLong();
      int number = key.getInt();
      assertThat(number).isGreaterThanOrEqualTo(next.getOrDefault(owner, 0));
      next.put(owner, number + 1);
      assertThat(operation.table()).isEqualTo("t" + owner % 3);
      if (owner % 2 == 1) {
        assertThat(owners.merge(operation.thread(), owner, (a, _) -> a)).isEqualTo(owner);
      } else { // virtual threads may share a number, but not at the same time
        assertThat(owners).doesNotContainKey(operation.thread());
        Long before = ends.put(operation.thread(), operation.time());
        assertThat(before == null ? 0 : before).isLessThanOrEqualTo(operation.begin());
      }
    }
    assertThat(lost).isEqualTo(dropped);
    assertThat(found + dropped).isEqualTo((long) threads * each);
    assertThat(found).isPositive();
  }

  @Test
  void aVirtualThreadForEachCallIsOneThread() throws Exception {
    try (Recorder recorder = Recorder.start(Recording.Options.of(file), Map.of())) {
      for (int call = 0; call < 1_000; call++) {
        byte[] key = key(1, call);
        Thread.ofVirtual().start(() -> get(recorder, key)).join();
      }
    }

    assertThat(read())
        .filteredOn(operation -> operation.kind() == Kind.GET)
        .hasSize(1_000)
        .extracting(Operation::thread)
        .containsOnly(0);
  }

  @Test
  void aBatchStaysTogetherAndItsUnsampledKeysAreLeftOut() throws Exception {
    List<CallRecorder.Part> parts = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      parts.add(
          new CallRecorder.Part(
              CallRecorder.CallKind.PUT, CallRecorder.CallOutcome.OK, "t", key(1, i), null, 5));
    }
    long sampled;
    try (Recorder recorder = Recorder.start(new Recording.Options(file, 8, false), Map.of())) {
      Thread other =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 1000; i++) {
                  recorder.bound(
                      CallRecorder.CallKind.SYNC,
                      CallRecorder.CallOutcome.OK,
                      "",
                      System.nanoTime());
                }
              });
      recorder.batch(CallRecorder.CallOutcome.OK, System.nanoTime(), parts);
      other.join();
      sampled = parts.stream().filter(part -> recorder.samples("t", key(part))).count();
    }

    List<Kind> kinds = read().stream().map(Operation::kind).toList();
    int begin = kinds.indexOf(Kind.BATCH);
    int end = kinds.indexOf(Kind.BATCH_END);
    assertThat(end - begin - 1).isEqualTo((int) sampled).isBetween(60, 200);
    assertThat(kinds.subList(begin + 1, end)).containsOnly(Kind.PUT);
  }

  private static void get(Recorder recorder, byte[] key) {
    recorder.entry(
        CallRecorder.CallKind.GET, CallRecorder.CallOutcome.OK, "t", key, System.nanoTime(), 7, -1);
  }

  private static byte[] key(CallRecorder.Part part) {
    return Objects.requireNonNull(part.key());
  }

  @Test
  void aFileIsContinuedByOneRecorderAtATime() throws Exception {
    for (int i = 0; i < 2; i++) {
      try (Recorder recorder = Recorder.start(Recording.Options.of(file), Map.of())) {
        recorder.bound(
            CallRecorder.CallKind.SYNC, CallRecorder.CallOutcome.OK, "", System.nanoTime());

        assertThatThrownBy(() -> Recorder.start(Recording.Options.of(file), Map.of()))
            .isInstanceOf(BadArgumentException.class);
      }
    }

    assertThat(read().stream().map(Operation::kind))
        .containsExactly(Kind.SYNC, Kind.LOST, Kind.SYNC);
  }

  @Test
  void whatIsNoTraceIsLeftAlone() throws Exception {
    Files.writeString(file, "something else");

    assertThatThrownBy(() -> Recorder.start(Recording.Options.of(file), Map.of()))
        .isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(
            () -> Recorder.start(Recording.Options.of(directory.resolve("no/app.trace")), Map.of()))
        .isInstanceOf(BadArgumentException.class);

    assertThat(file).hasContent("something else");
  }

  @Test
  void aFullDiskEndsTheRecordingOnly() throws Exception {
    OutputStream full =
        new OutputStream() {
          private int room = 100_000;

          @Override
          public void write(int b) throws IOException {
            write(new byte[1], 0, 1);
          }

          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            room -= length;
            if (room < 0) {
              throw new IOException("No space left on device");
            }
          }
        };
    try (Recorder recorder =
        new Recorder(file, 1, null, null, TraceWriter.begin(full, Map.of(), null)).begin()) {
      int calls = 0;
      while (recorder.isRecording() && calls < 50_000_000) {
        get(recorder, key(1, calls++));
      }

      assertThat(recorder.isRecording()).isFalse();
      get(recorder, key(1, 0));
    }
  }
}
