package io.kvstadium.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The search for a JDK, for a version that no machine has, and its download from this process: a
 * few scripts in an archive.
 */
class JdkTest {
  private static final int VERSION = 99;
  private static final String DOWNLOADED = "jdk-99+1";

  @TempDir private Path temporary;
  private Path directory; // with a space
  private Path script;
  private Path cache;
  private byte[] archive;
  private String checksum;
  private volatile boolean half;
  private volatile boolean listed = true;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer server;

  @BeforeEach
  void serve() throws Exception {
    Needs.program(Files.isExecutable(Path.of("/usr/bin/wget")) ? "wget" : "curl", "curl");
    directory = Files.createDirectory(temporary.resolve("a folder"));
    cache = directory.resolve("cache/kv-stadium/jdk");
    script = directory.resolve("jdk.sh");
    String text = Files.readString(Checkout.ROOT.resolve("packaging/jdk.sh"));
    Files.writeString(script, text.replaceFirst("\nNEEDED=\\d+", "\nNEEDED=" + VERSION));
    pack(jdk("packed/" + DOWNLOADED, VERSION).getParent());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(handlers);
    server.createContext(
        "/v3/assets/latest/" + VERSION, exchange -> send(exchange, listed ? listing() : "[]"));
    server.createContext("/jdk.tar.gz", this::sendArchive);
    server.start();
  }

  @AfterEach
  void end() {
    ended.countDown();
    server.stop(0);
    handlers.close();
  }

  private Path jdk(String name, int version) throws IOException {
    Path home = directory.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + ".0.1\"\n");
    for (String tool : List.of("java", "javac")) {
      Path file = Files.writeString(home.resolve("bin/" + tool), "#!/bin/sh\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return home;
  }

  private void pack(Path folder) throws Exception {
    Path file = directory.resolve("jdk.tar.gz");
    assertThat(
            Checkout.run(directory, List.of("tar", "-czf", "" + file, "-C", "" + folder, "."))
                .exit())
        .isZero();
    archive = Files.readAllBytes(file);
    checksum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
  }

  /** As Adoptium has it, with an installer, which is not what is wanted. */
  private String listing() {
    return """
    [{"binary": {"installer": {"checksum": "%s", "link": "http://x.invalid/jdk.pkg"},
      "os": "any", "package": {
        "checksum": "%s",
        "checksum_link": "http://x.invalid/jdk.tar.gz.sha256.txt",
        "link": "http://127.0.0.1:%d/jdk.tar.gz",
        "name": "jdk.tar.gz"}}, "vendor": "eclipse"}]
    """
        .formatted("0".repeat(64), checksum, server.getAddress().getPort());
  }

  private static void send(HttpExchange exchange, String text) throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private void sendArchive(HttpExchange exchange) throws IOException {
    asked.countDown();
    try (exchange;
        OutputStream body = exchange.getResponseBody()) {
      exchange.sendResponseHeaders(200, archive.length);
      body.write(archive, 0, half ? archive.length / 2 : archive.length);
      body.flush();
      if (half) {
        ended.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ProcessBuilder script(Map<String, Object> environment) {
    ProcessBuilder builder = new ProcessBuilder("sh", script.toString(), "--javac");
    builder.directory(directory.toFile());
    builder.environment().keySet().removeAll(List.of("JAVA_HOME", "STADIUM_JAVA_HOME"));
    builder.environment().put("XDG_CACHE_HOME", directory.resolve("cache").toString());
    builder
        .environment()
        .put("STADIUM_JDK_API", "http://127.0.0.1:" + server.getAddress().getPort());
    environment.forEach((name, value) -> builder.environment().put(name, value.toString()));
    return builder;
  }

  /** What a run left. */
  private record Run(int exit, String out, String err) {}

  private Run run(Map<String, Object> environment) throws Exception {
    Process process = script(environment).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), out, err);
  }

  @Test
  void itIsDownloadedOnceEvenForTwoAtOnceAndFoundFromThenOn() throws Exception {
    Process other = script(Map.of()).redirectErrorStream(true).start();
    Run first = run(Map.of("JAVA_HOME", jdk("old", 17)));
    int exitOfOther = other.waitFor();
    server.stop(0);
    Run later = run(Map.of());

    assertThat(first.exit()).as(first.err()).isZero();
    assertThat(first.out()).isEqualTo(cache.resolve(DOWNLOADED) + "\n");
    assertThat(first.err()).hasLineCount(1).contains("jdk.tar.gz", cache.toString());
    assertThat(exitOfOther).isZero();
    assertThat(cache.toFile().list()).containsExactly(DOWNLOADED);
    assertThat(later).isEqualTo(new Run(0, first.out(), ""));
  }

  @ParameterizedTest
  @CsvSource({
    "altered, SHA-256",
    "older, no JDK",
    "absent, there is no download",
    "unreachable, cannot be downloaded"
  })
  void aDownloadThatIsNotWhatWasPromisedLeavesNothing(String how, String word) throws Exception {
    switch (how) {
      case "altered" -> archive[archive.length / 2]++;
      case "older" -> pack(jdk("old/jdk-17", 17).getParent());
      case "absent" -> listed = false;
      default -> server.stop(0);
    }
    Run run = run(Map.of());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(word, "install one");
    assertThat(cache).isEmptyDirectory();
  }

  @Test
  void anInterruptedDownloadLeavesNothing() throws Exception {
    half = true;
    Process process = script(Map.of()).start();
    asked.await();
    process.toHandle().destroy(); // SIGTERM: where tests run in the background, SIGINT is ignored

    assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8)).contains("interrupted");
    assertThat(process.waitFor()).isEqualTo(143);
    assertThat(cache).isEmptyDirectory();
  }

  @Test
  void nothingIsDownloadedWhereThatIsRefusedOrCannotBeKept() throws Exception {
    Run refused = run(Map.of("STADIUM_NO_DOWNLOAD", 1));
    Run cannot = run(Map.of("XDG_CACHE_HOME", script));

    assertThat(List.of(refused.exit(), cannot.exit())).containsOnly(2);
    assertThat(refused.err()).hasLineCount(1).contains("STADIUM_NO_DOWNLOAD", "install one");
    assertThat(cannot.err()).hasLineCount(1).contains("XDG_CACHE_HOME", "install one");
    assertThat(asked.getCount()).as("no download").isOne();
  }

  @Test
  void theUsersChoiceCountsAndIsCheckedWhileAJavaHomeThatIsTooOldIsPassedOver() throws Exception {
    Path old = jdk("old", 17);
    Path right = jdk("right one", VERSION);
    String path = right.resolve("bin") + ":" + System.getenv("PATH");

    assertThat(run(Map.of("STADIUM_JAVA_HOME", right, "JAVA_HOME", old)).out())
        .isEqualTo(run(Map.of("JAVA_HOME", right)).out())
        .isEqualTo(run(Map.of("JAVA_HOME", old, "PATH", path)).out())
        .isEqualTo(right + "\n");
    Run wrong = run(Map.of("STADIUM_JAVA_HOME", old, "JAVA_HOME", right));
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).hasLineCount(1).contains("STADIUM_JAVA_HOME", old.toString());
  }
}
