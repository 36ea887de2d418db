package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.StoreIoException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A phase that read something other than what was written has no figures. */
class VerificationTest {
  private static final int RECORDS = 1_500;

  @Test
  void wrongBytesAreFound() {
    // given
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                byte[] value = super.get(key);
                if (gets.get() == 700) {
                  value = value.clone();
                  value[5] ^= 1;
                }
                return value;
              }
            });

    // when, then
    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.GET)))
        .isInstanceOf(TrialFailure.class)
        .hasMessageContaining("phase get: key number ")
        .hasMessageContaining("gave other bytes than were written");
  }

  @Test
  void lentReadsAreCheckedAndCounted() {
    // given
    Bench bench = Bench.loaded(RECORDS);

    // when, then
    assertThat(bench.run(Bench.phase(Operation.LEND)).operations()).isEqualTo(RECORDS);

    // when one value has lost its last byte, and one is gone
    byte[] shortened = bench.workset.key(9);
    bench.target.entries.computeIfPresent(
        shortened, (_, value) -> Arrays.copyOf(value, value.length - 1));

    // then
    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.LEND)))
        .isInstanceOf(TrialFailure.class)
        .hasMessageContaining("key number 9 was lent with another length");
    bench.target.entries.remove(shortened);
    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.LEND)))
        .isInstanceOf(TrialFailure.class)
        .hasMessage("phase lend: 1 of 1500 reads missed keys that had been written");
  }

  @Test
  void aMissIsFoundAndCounted() {
    Bench bench = Bench.loaded(RECORDS);
    bench.target.entries.remove(bench.workset.key(3));
    bench.target.entries.remove(bench.workset.key(1_400));

    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.GET)))
        .isInstanceOf(TrialFailure.class)
        .hasMessage("phase get: 2 of 1500 reads missed keys that had been written");
  }

  @Test
  void aReadAfterDeleteIsFound() {
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public void delete(byte[] key) {
                if (deletes.incrementAndGet() != 900) {
                  entries.remove(key);
                }
              }
            });
    bench.run(Bench.phase(Operation.DELETE));

    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.GET)))
        .isInstanceOf(TrialFailure.class)
        .hasMessageContaining("was read after it had been deleted");
  }

  @Test
  void anUpdateThatWasLostIsFound() {
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public void put(byte[] key, byte[] value) {
                if (puts.incrementAndGet() != RECORDS + 77) {
                  entries.put(key, value);
                }
              }
            });
    bench.run(Bench.phase(Operation.UPDATE));

    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.GET)))
        .isInstanceOf(TrialFailure.class)
        .hasMessageContaining("(generation 1)");
  }

  @Test
  void aWholeScanThatLosesAnEntryIsFound() {
    Bench bench = Bench.loaded(RECORDS);
    bench.target.entries.pollFirstEntry();

    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.SCAN_ALL)))
        .isInstanceOf(TrialFailure.class)
        .hasMessage("phase scan-all: the scan found 1499 entries where there are 1500");
  }

  @Test
  void aScanThatLosesItsFirstEntryIsFound() {
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public Cursor<byte[], byte[]> scan(Range<byte[]> range) {
                return super.scan(range.from(range.from(), scans.size() != 30));
              }
            });

    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.SCAN)))
        .isInstanceOf(TrialFailure.class)
        .hasMessageContaining("missed keys that had been written");
  }

  @Test
  void aScanThatEndsEarlyIsFound() {
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public Cursor<byte[], byte[]> scan(Range<byte[]> range) {
                return super.scan(scans.size() == 30 ? range.limit(range.limit() - 1) : range);
              }
            });

    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.SCAN)))
        .isInstanceOf(TrialFailure.class)
        .hasMessageContaining("phase scan: a scan from key number ")
        .hasMessageContaining("ended after 9 entries, before the last one of the table");
  }

  @Test
  void aScanThatFindsNothingIsFound() {
    Bench bench = Bench.loaded(RECORDS);
    bench.run(Bench.phase(Operation.DELETE, 100, "uniform"));
    bench.target.entries.clear();

    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.SCAN)))
        .isInstanceOf(TrialFailure.class)
        .hasMessageContaining("ended after 0 entries");
  }

  @Test
  void aScanOfAnEmptyTableIsRight() {
    Bench bench = Bench.loaded(RECORDS);
    bench.run(Bench.phase(Operation.DELETE));

    assertThat(bench.run(Bench.phase(Operation.SCAN)).bytes()).isZero();
  }

  @Test
  void whatIsRightPasses() {
    Bench bench = Bench.loaded(RECORDS);

    assertThatCode(
            () -> {
              bench.run(Bench.phase(Operation.GET));
              bench.run(Bench.phase(Operation.SCAN));
              bench.run(Bench.phase(Operation.SCAN_ALL));
              bench.run(Bench.phase(Operation.UPDATE, 4_000, "zipfian"));
              bench.run(Bench.phase(Operation.GET));
              bench.run(Bench.phase(Operation.MIXED, 4_000, "uniform"));
              bench.run(Bench.phase(Operation.SCAN));
              bench.run(Bench.phase(Operation.DELETE, 400, "uniform"));
              bench.run(Bench.phase(Operation.GET));
              bench.run(Bench.phase(Operation.SCAN));
              bench.run(Bench.phase(Operation.SCAN_ALL));
              bench.run(Bench.phase(Operation.UPDATE));
              bench.run(Bench.phase(Operation.SCAN_ALL));
            })
        .doesNotThrowAnyException();
  }

  @Test
  void aSecondLoadBringsBackTheFirstValues() {
    Bench bench = Bench.loaded(RECORDS);
    bench.run(Bench.phase(Operation.UPDATE));
    bench.run(Bench.phase(Operation.DELETE, 100, "uniform"));

    bench.run(Bench.named(Bench.phase(Operation.INSERT), "again"));

    assertThat(bench.run(Bench.phase(Operation.GET)).operations()).isEqualTo(RECORDS);
  }

  @Test
  void anEngineThatThrowsEndsThePhase() {
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                throw new StoreIoException("the disk is on fire");
              }
            });

    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.GET)))
        .hasMessageContaining("the disk is on fire");
    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.GET).withThreads(3)))
        .isInstanceOf(TrialFailure.class)
        .hasMessageContaining("phase get: ")
        .hasMessageContaining("the disk is on fire");
  }

  @Test
  void anErrorInOneOfSeveralThreadsIsNotLost() {
    AtomicInteger calls = new AtomicInteger();
    Bench bench =
        Bench.loaded(
            RECORDS,
            new MapTarget() {
              @Override
              public byte @Nullable [] get(byte[] key) {
                if (calls.incrementAndGet() == 100) {
                  throw new AssertionError("the engine's own check failed");
                }
                return super.get(key);
              }
            });

    assertThatThrownBy(() -> bench.run(Bench.phase(Operation.GET).withThreads(3)))
        .hasMessageContaining("the engine's own check failed");
  }
}
