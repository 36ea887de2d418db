package io.kvstadium.testing.promises;

import io.kvstadium.testing.Acknowledged;
import io.kvstadium.testing.CrashTest;
import io.kvstadium.torture.fault.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Whatever a power cut leaves of a recording, the application starts again and goes on with it. */
@Tag("full")
@CrashTest(
    faults = {Fault.POWER, Fault.SECTOR},
    rounds = 12)
class RecordingPowerCrashTest {
  void work(Path directory, Acknowledged acknowledged) {
    new Recorded(directory).work(acknowledged);
  }

  void check(Path directory, List<String> acknowledged) throws IOException {
    new Recorded(directory).check(acknowledged, false);
  }
}
