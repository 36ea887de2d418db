package io.kvstadium.engine.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
class PrivateServerTest {
  private static final byte[] KEY = {1};

  @TempDir Path temporary;

  private static ProcessHandle serverOf(Path directory) throws Exception {
    long pid = Long.parseLong(Files.readString(directory.resolve("server.pid")).strip());
    return ProcessHandle.of(pid).orElseThrow();
  }

  @Test
  void storeIsThereAgainAndItsServerIsNot() throws Exception {
    Path directory = temporary.resolve("store");
    ProcessHandle server;
    try (Store store = Stadium.open("mysql:" + directory + "?durability=process")) {
      store.table("more").put(KEY, KEY);
      server = serverOf(directory);
      assertThat(server.isAlive()).isTrue();
      assertThat(store.stats()).containsEntry("innodb_flush_log_at_trx_commit", "2");
    }
    assertThat(server.isAlive()).isFalse();

    String same = "mysql:" + directory + "?durability=power&innodb_buffer_pool_size=64m";
    try (Store store = Stadium.open(same)) {
      assertThat(store.table("more").get(KEY)).isEqualTo(KEY);
      assertThat(store.durability()).isEqualTo(Durability.POWER);
      assertThat(store.stats())
          .containsEntry("innodb_flush_log_at_trx_commit", "1")
          .containsEntry("innodb_buffer_pool_size", String.valueOf(64 << 20));
    }
    try (Store store = Stadium.open("mysql:" + directory + "?read_only=true")) {
      assertThat(store.table("more").get(KEY)).isEqualTo(KEY);
    }
    Stadium.destroy("mysql:" + directory);
    assertThat(directory).doesNotExist();
  }

  @Tag("full")
  @Test
  void nobodyElseMayEnterTheSocketsDirectory() throws Exception {
    Path directory = temporary.resolve("store");
    try (Store store = Stadium.open("mysql:" + directory + "?durability=process")) {
      assertThat(store.tables()).hasSize(1);
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(directory.resolve("data"))))
          .isEqualTo("rwx------");
      List<String> arguments = List.of(serverOf(directory).info().arguments().orElseThrow());
      assertThat(arguments).contains("--skip-networking");
    }
  }

  @Tag("full")
  @Test
  void twoStoresHaveTheirOwnServersAndPathsMayBeLong() throws Exception {
    Path one = temporary.resolve("one");
    Path two = temporary.resolve("very-long-name".repeat(8)).resolve("two");
    try (Store first = Stadium.open("mysql:" + one);
        Store second = Stadium.open("mysql:" + two)) {
      first.table().put(KEY, KEY);
      assertThat(second.table().contains(KEY)).isFalse();
      assertThat(serverOf(one).pid()).isNotEqualTo(serverOf(two).pid());
      assertThatThrownBy(() -> Stadium.open("mysql:" + one + "?read_only=true"))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining(one.toString());
    }
  }

  @Test
  void serverEndsWithAKilledProcessAndNothingIsLost() throws Exception {
    Path directory = temporary.resolve("store");
    String url = "mysql:" + directory;
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                url,
                "500")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(holder.getInputStream().read()).isEqualTo('.');
      ProcessHandle server = serverOf(directory);
      assertThatThrownBy(() -> Stadium.open(url)).isInstanceOf(LockedException.class);

      holder.destroyForcibly().waitFor();

      try (Store store = Stadium.open(url)) { // at once, while that server is still ending
        assertThat(server.isAlive()).isFalse();
        assertThat(store.table().count()).isEqualTo(500);
        assertThat(store.table().get(Holder.key(499))).isEqualTo(Holder.key(499));
      }
    } finally {
      holder.destroyForcibly();
    }
  }

  @Tag("full")
  @Test
  void nobodyIsNeededToEndTheServerOfAKilledProcess() throws Exception {
    Path directory = temporary.resolve("store");
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                "mysql:" + directory,
                "1")
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

  @Test
  void serverThatIsKilledIsReportedAndRecovered() throws Exception {
    Path directory = temporary.resolve("store");
    String url = "mysql:" + directory;
    Store store = Stadium.open(url);
    for (int i = 0; i < 300; i++) {
      store.table().put(Holder.key(i), Holder.key(i));
    }
    ProcessHandle server = serverOf(directory);
    server.destroyForcibly();
    server.onExit().get(60, TimeUnit.SECONDS);

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> store.table().get(KEY))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("ended with status 137");
    }
    assertThatThrownBy(store::close).isInstanceOf(StoreIoException.class);

    try (Store again = Stadium.open(url)) {
      assertThat(again.table().count()).isEqualTo(300);
    }
  }

  @Tag("full")
  @Test
  void damagedFilesAreReportedWithTheServersWords() throws Exception {
    Path directory = temporary.resolve("store");
    Stadium.open("mysql:" + directory).close();
    try (FileChannel log =
        FileChannel.open(directory.resolve("data/ib_logfile0"), StandardOpenOption.WRITE)) {
      log.truncate(100);
    }

    assertThatThrownBy(() -> Stadium.open("mysql:" + directory))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("InnoDB");
  }

  @Tag("full")
  @Test
  void creationThatWasCutOffIsMadeUpFor() throws Exception {
    Path directory = temporary.resolve("store");
    Stadium.open("mysql:" + directory).close();
    Files.move(directory.resolve("data"), directory.resolve("data.part"));
    Files.delete(directory.resolve("data.part/ibdata1"));
    for (String file : List.of("server.log", "server.pid", "server.lock")) {
      Files.delete(directory.resolve(file));
    }
    PrivateServer.start(directory, MariaDb.of("")).close();

    try (Store store = Stadium.open("mysql:" + directory + "?durability=process")) {
      assertThat(store.table().count()).isZero();
    }
  }

  @Test
  void programThatIsNoneIsRefusedWithWhatToDo() {
    assertThatThrownBy(() -> Stadium.open("mysql:" + temporary.resolve("a") + "?server=/no/where"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("/no/where")
        .hasMessageContaining("apt install mariadb-server");
    assertThat(temporary.resolve("a")).doesNotExist();
    assertThatThrownBy(() -> Stadium.open("mysql:" + temporary.resolve("b") + "?server=/bin/false"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("server.log");
  }

  @Tag("full")
  @Test
  void syncRaisesTheLevelForAMoment() {
    try (Store store = Stadium.open("mysql:" + temporary.resolve("store") + "?durability=none")) {
      store.table().put(KEY, KEY);
      store.sync();
      store.table().put(KEY, KEY);
      assertThat(store.durability()).isEqualTo(Durability.NONE);
    }
  }
}
