package io.kvstadium.testing.promises;

import io.kvstadium.store.Store;
import io.kvstadium.testing.Acknowledged;
import io.kvstadium.testing.CrashTest;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.transfer.Copy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** A copy is there, whole, once it was made; what is interrupted goes on. */
@Tag("full")
@CrashTest(
    faults = {Fault.KILL, Fault.POWER, Fault.SECTOR},
    rounds = 12)
class CopyCrashTest {
  private static final long ENTRIES = 3000;

  void work(Path directory, Acknowledged acknowledged) {
    try (Numbers source = Numbers.open(Numbers.durable("sqlite", directory))) {
      source.fill(ENTRIES);
      new Targets(directory).fill(acknowledged, (Store to) -> Copy.run(source.store(), to));
    }
  }

  void check(Path directory, List<String> acknowledged) {
    new Targets(directory).check(acknowledged, ENTRIES);
  }
}
