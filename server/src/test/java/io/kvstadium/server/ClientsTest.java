package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testing.Needs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients in other languages, unchanged, from their registries. If a language or its registry is
 * not available, its test says so and is skipped.
 */
class ClientsTest {
  private static final Path SCRIPTS = Path.of("src", "test", "clients").toAbsolutePath();

  @TempDir Path directory;

  private final TestServer server = TestServer.start("rocksdb:");
  private final String port = Integer.toString(server.port());

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void redisCli() throws Exception {
    Needs.program("redis-cli", "redis-tools");
    assertThat(run("redis-cli", "-p", port, "-3", "set", "a", "1")).isEqualTo("OK\n");
    assertThat(run("redis-cli", "-p", port, "hset", "h", "f", "v")).isEqualTo("1\n");
    assertThat(run("redis-cli", "-p", port, "-3", "--json", "hgetall", "h"))
        .isEqualTo("{\"f\":\"v\"}\n");
    assertThat(run("redis-cli", "-p", port, "--scan").lines()).containsExactly("a", "h");
    assertThat(run("redis-cli", "-p", port, "--bigkeys")).contains("Sampled 2 keys");
  }

  /** An error reply to any request would end it. */
  @Test
  void theWholeSuiteOfRedisBenchmark() throws Exception {
    Needs.program("redis-benchmark", "redis-tools");
    String said = run("redis-benchmark", "-p", port, "-q", "-n", "200", "-c", "10", "-P", "4");

    assertThat(said).contains("PING_INLINE", "LRANGE_600", "MSET (10 keys)").doesNotContain("rror");
  }

  @Tag("full")
  @Test
  void redisPy() throws Exception {
    Needs.program("python3", "python3");
    Path packages = directory.resolve("packages");
    fetched(
        "python3", "-m", "pip", "install", "-q", "--target", packages.toString(), "redis==8.1.0");

    Process script =
        start(List.of("python3", SCRIPTS.resolve("redis_py.py").toString(), port), packages);

    assertThat(said(script)).isEqualTo("ok\n");
  }

  @Tag("full")
  @Test
  void nodeRedisAndIoredis() throws Exception {
    Needs.program("npm", "npm");
    Files.writeString(directory.resolve("package.json"), "{\"type\": \"module\"}");
    fetched(
        "npm", "install", "--silent", "--no-audit", "--no-fund", "redis@6.3.1", "ioredis@6.0.0");
    Files.copy(SCRIPTS.resolve("node.mjs"), directory.resolve("node.mjs"));

    assertThat(run("node", "node.mjs", port)).isEqualTo("ok\n");
  }

  @Tag("full")
  @Test
  void goRedis() throws Exception {
    Needs.program("go", "golang-go");
    Files.copy(SCRIPTS.resolve("main.go"), directory.resolve("main.go"));
    fetched("go", "mod", "init", "clients");
    fetched("go", "get", "github.com/redis/go-redis/v9@v9.23.0");

    assertThat(run("go", "run", ".", port)).isEqualTo("ok\n");
  }

  @Tag("full")
  @Test
  void phpRedis() throws Exception {
    Needs.program("php", "php-cli php-redis");
    Needs.that(run("php", "-m").contains("redis"), "PHP's redis extension", "php-redis");

    assertThat(run("php", SCRIPTS.resolve("phpredis.php").toString(), port)).isEqualTo("ok\n");
  }

  /** Runs a command that fetches packages. */
  private void fetched(String... command) throws Exception {
    Process process = start(List.of(command), directory);
    process.getInputStream().transferTo(OutputStream.nullOutputStream());
    Needs.that(
        process.waitFor() == 0, "a package registry: " + String.join(" ", command) + " failed");
  }

  private String run(String... command) throws Exception {
    return said(start(List.of(command), directory));
  }

  private Process start(List<String> command, Path packages) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("PYTHONPATH", packages.toString());
    return builder.start();
  }

  private static String said(Process process) throws Exception {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
