package io.kvstadium.engine.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnsupportedException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What PostgreSQL adds to the private server that {@code mysql} tests. */
class PrivateServerTest {
  private static final byte[] KEY = {1};

  @TempDir private Path temporary;

  @BeforeEach
  void needsAServer() {
    String missing = TestServer.unavailable();
    assumeTrue(missing == null, missing);
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static ProcessHandle serverOf(Path directory) throws Exception {
    long pid = Long.parseLong(Files.readString(directory.resolve("server.pid")).strip());
    return ProcessHandle.of(pid).orElseThrow();
  }

  @Test
  void storeIsThereAgainAndItsServerIsNot() throws Exception {
    Path directory = temporary.resolve("store");
    String url = "postgresql:" + directory;
    ProcessHandle server;
    try (Store store = Stadium.open(url + "?durability=process")) {
      store.table("more").put(KEY, KEY);
      store.sync();
      server = serverOf(directory);
      assertThat(server.isAlive()).isTrue();
      assertThat(store.stats()).containsEntry("fsync", "off").containsKey("server_program");
      assertThat(store.stats().get("memory_used")).as("of its processes").matches("\\d{7,10}");
    }
    assertThat(server.isAlive()).isFalse();

    Files.createFile(directory.resolve("data/postmaster.pid")); // as a kill of a start leaves it
    try (Store store = Stadium.open(url + "?durability=power&shared_buffers=64m")) {
      assertThat(store.table("more").get(KEY)).isEqualTo(KEY);
      assertThat(store.stats())
          .containsEntry("fsync", "on")
          .containsEntry("full_page_writes", "on")
          .containsEntry("synchronous_commit", "on")
          .containsEntry("shared_buffers", "8192"); // pages of 8 kB
    }
    try (Store store = Stadium.open(url + "?read_only=true")) {
      assertThat(store.table("more").get(KEY)).isEqualTo(KEY);
    }
    Stadium.destroy(url);
    assertThat(directory).doesNotExist();
  }

  @Test
  void serverThatIsKilledIsReportedAndRecovered() throws Exception {
    Path directory = temporary.resolve("store");
    String url = "postgresql:" + directory + "?durability=process";
    Store store = Stadium.open(url);
    for (int i = 0; i < 300; i++) {
      store.table().put(key(i), key(i));
    }
    ProcessHandle server = serverOf(directory);
    server.destroyForcibly();
    server.onExit().get(60, TimeUnit.SECONDS);

    assertThatThrownBy(() -> store.table().get(KEY))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("ended with status 137");
    assertThatThrownBy(store::close).isInstanceOf(StoreIoException.class);

    try (Store again = Stadium.open(url)) { // at once, while its processes are still ending
      assertThat(again.table().count()).isEqualTo(300);
    }
  }

  @Test
  void dataThatTheProgramCannotReadAreLeftAlone() throws Exception {
    Path directory = temporary.resolve("store");
    String url = "postgresql:" + directory;
    Stadium.open(url).close();
    Path version = directory.resolve("data/PG_VERSION");
    String right = Files.readString(version);
    Files.writeString(version, "9\n");
    assertThatThrownBy(() -> Stadium.open(url)).isInstanceOf(UnsupportedException.class);

    Files.writeString(version, right);
    Path control = directory.resolve("data/global/pg_control");
    byte[] whole = Files.readAllBytes(control);
    byte[] damaged = whole.clone();
    damaged[100]++;
    Files.write(control, damaged);
    assertThatThrownBy(() -> Stadium.open(url)).isInstanceOf(CorruptException.class);

    Files.write(control, whole);
    Stadium.open(url).close();
  }

  @Tag("full")
  @Test
  void serverOfAKilledProcessEnds() throws Exception {
    Path directory = temporary.resolve("store");
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                "postgresql:" + directory)
            .start();
    try {
      assertThat(holder.getInputStream().read()).isEqualTo('.');
      ProcessHandle server = serverOf(directory);

      holder.destroyForcibly().waitFor();

      assertThat(server.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
    } finally {
      holder.destroyForcibly();
    }
  }

  /** A process that has a store open until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      Store store = Stadium.open(args[0]);
      store.table().put(KEY, KEY);
      System.out.write('.');
      System.out.flush();
      System.in.read();
      throw new IllegalStateException("it should have been killed");
    }
  }
}
