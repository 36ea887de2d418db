package io.kvstadium.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.run.WorkerCheck;
import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The worker in Python, with whichever bindings are installed. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("full")
class PythonWorkerTest {
  @TempDir Path directory;

  @Test
  void doesWhatItsProtocolAsks() throws IOException {
    List<String> said = new ArrayList<>();

    boolean passed = new WorkerCheck(Python.worker(), directory, said::add).run();

    assertThat(passed).as(String.join("\n", said)).isTrue();
    assertThat(said).anyMatch(line -> line.startsWith("passed: runs a trial of engine sqlite"));
  }

  @Test
  void itsOwnTestsPass() throws IOException, InterruptedException {
    ProcessBuilder tests =
        new ProcessBuilder(Python.interpreter(), "-m", "unittest", "discover", "-s", "tests")
            .directory(Python.folder().toFile())
            .redirectErrorStream(true);
    tests.environment().put("PYTHONPATH", "src");
    tests.environment().put("PYTHONDONTWRITEBYTECODE", "1");

    Process process = tests.start();

    String said = Python.text(process);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Test
  void isUnpackedBesideTheUsersOwnEnvironment() throws IOException {
    // given an interpreter of the user's, and an empty cache
    Path python = Path.of(Python.interpreter());
    PythonSetup setup = new PythonSetup(directory);

    WorkerProgram first = setup.worker(python);
    WorkerProgram second = setup.worker(python);

    assertThat(second.command()).isEqualTo(first.command());
    assertThat(first.language()).isEqualTo("python");
    assertThat(first.engines().names()).contains("lmdb", "null", "rocksdb", "speedb", "sqlite");
    try (var unpacked = Files.list(directory)) {
      assertThat(unpacked).hasSize(1);
    }
  }

  @Test
  void anInterpreterThatIsNoneIsRefused() {
    PythonSetup setup = new PythonSetup(directory);

    assertThatThrownBy(() -> setup.worker(Path.of("/bin/false")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("--python /bin/false is not a Python that starts");
  }
}
