package io.kvstadium.testing.promises;

import io.kvstadium.testing.Acknowledged;
import io.kvstadium.testing.CrashTest;
import io.kvstadium.torture.fault.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** A kill takes nothing that was recorded before a close, and leaves a file that goes on. */
@Tag("full")
@CrashTest(faults = Fault.KILL, rounds = 12)
class RecordingCrashTest {
  void work(Path directory, Acknowledged acknowledged) {
    new Recorded(directory).work(acknowledged);
  }

  void check(Path directory, List<String> acknowledged) throws IOException {
    new Recorded(directory).check(acknowledged, true);
  }
}
