package examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import events.EventLog;
import io.kvstadium.store.UnsupportedException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import jobs.JobQueue;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sessions.SessionStore;

/** Runs each example unchanged, on one engine after the other. */
class ExamplesTest {
  @TempDir Path directory;

  private interface Program {
    void main(String... arguments) throws Exception;
  }

  private List<String> run(Program program, String engine) throws Exception {
    String[] parts = engine.split("\\?", 2);
    String url =
        parts[0] + ":" + directory.resolve("store") + (parts.length > 1 ? "?" + parts[1] : "");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      program.main(url);
    } finally {
      System.setOut(before);
    }
    return said.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "berkeleydb",
        "h2",
        "lmdb",
        "mapdb?durability=none",
        "memory",
        "mvstore",
        "rocksdb",
        "sqlite"
      })
  void sessionsExpireAndAreCounted(String engine) throws Exception {
    assertThat(run(SessionStore::main, engine))
        .containsExactly(
            "logged in: 2",
            "ann after 20 minutes: ann",
            "ann after 40 minutes: ann",
            "bob, who did nothing: null",
            "logged in: 1",
            "logins of ann: 2",
            "login counters were written 4 times");
  }

  @ParameterizedTest
  @ValueSource(strings = {"berkeleydb", "h2", "lmdb", "memory", "rocksdb", "sqlite"})
  void eventsKeepTheirOrdersAndArePruned(String engine) throws Exception {
    assertThat(run(EventLog::main, engine))
        .containsExactly(
            "events: 100, numbered 1 to 100",
            "last of the lift: [Event[source=lift, text=lift 25], Event[source=lift, text=lift 24]]",
            "forgotten: 90",
            "left: 10");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "berkeleydb",
        "h2",
        "lmdb",
        "memory",
        "rocksdb",
        "rocksdb?transactions=pessimistic",
        "sqlite"
      })
  void jobsAreTakenOnceEach(String engine) throws Exception {
    assertThat(run(JobQueue::main, engine))
        .containsExactly("taken: 50, of these twice: 0", "left: null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mapdb?durability=none", "mvstore"})
  void anEngineThatLacksWhatIsRequiredIsRefused(String engine) {
    assertThatThrownBy(() -> run(EventLog::main, engine))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("transactions");
  }
}
