package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthTest {
  private static final ServerOptions OPTIONS =
      ServerOptions.DEFAULT.redisPort(0).httpPort(-1).healthPort(0);

  private static HttpResponse<String> ask(Server server, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://localhost:" + server.healthPort() + path);
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
  }

  @Test
  void whoeverAsksIsToldWhetherItLivesAndWhetherItCanWrite()
      throws IOException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Server server = Server.start(store, OPTIONS.password("secret"), _ -> {})) {
      assertThat(ask(server, "/live").statusCode()).isEqualTo(200);
      assertThat(ask(server, "/ready").statusCode()).isEqualTo(200);
      assertThat(ask(server, "/").statusCode()).isEqualTo(404);

      store.close();

      assertThat(ask(server, "/live").statusCode()).isEqualTo(200);
      HttpResponse<String> answer = ask(server, "/ready");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("closed");
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Needs the right to mount a file system. */
  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "lmdb"})
  @Timeout(120)
  void aFullDiskLeavesRoomForRemovalsAndItsGrowthHelpsAtOnce(String engine, @TempDir Path directory)
      throws IOException, InterruptedException {
    String disk = directory.toString();
    assumeThat(isRoot() && run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk)).isTrue();
    try (Store store = Stadium.open(engine + ":" + directory.resolve("store"));
        Server server = Server.start(store, OPTIONS, _ -> {});
        RespClient client = RespClient.connect(server.redisPort())) {
      int count = 0;
      HttpResponse<String> full;
      do { // what the engine frees meanwhile is used again
        while (!client.reply("set", "k" + count, value(count)).isError()) {
          count++;
        }
        full = ask(server, "/ready");
      } while (full.statusCode() == 200);
      assertThat(count).isGreaterThan(5_000);
      assertThat(full.statusCode()).isEqualTo(503);
      assertThat(full.body()).contains("disk");
      assertThat(client.call("get", "k" + (count - 1))).isEqualTo(value(count - 1));
      for (int i = 0; i < count / 2; i++) {
        assertThat(client.call("del", "k" + i)).isEqualTo(1L);
      }

      assertThat(run("mount", "-o", "remount,size=256m", disk)).isTrue();

      while (client.reply("set", "more", "v").isError()) {
        Thread.onSpinWait(); // the size of the disk is asked for now and then
      }
      assertThat(ask(server, "/ready").statusCode()).isEqualTo(200);
      assertThat(client.call("dbsize")).isEqualTo((long) count - count / 2 + 1);
    } finally {
      run("umount", disk);
    }
  }

  /** Does not compress. */
  private static String value(int number) {
    char[] text = new char[4_000];
    Random random = new Random(number);
    for (int i = 0; i < text.length; i++) {
      text[i] = (char) (' ' + random.nextInt(94));
    }
    return new String(text);
  }
}
