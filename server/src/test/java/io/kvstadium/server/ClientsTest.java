package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients and frameworks in other languages, unchanged, from their registries. Each runs a script
 * that does its real work and ends with an error if something is lost, done twice, or held by two.
 * If a language or its registry is not available, its test says so and is skipped.
 */
class ClientsTest {
  private static final Path SCRIPTS = Path.of("src", "test", "clients").toAbsolutePath();

  /** Between the words of a command in a table. */
  private static final String SPACE = " ";

  @TempDir Path directory;

  private TestServer server = TestServer.start();

  @AfterEach
  void close() {
    server.close();
  }

  private String port() {
    return Integer.toString(server.port());
  }

  private void serve(String engine) {
    server.close();
    server = TestServer.start(engine);
  }

  @Test
  void redisCli() throws Exception {
    Needs.program("redis-cli", "redis-tools");
    serve("rocksdb:");
    assertThat(run("redis-cli", "-p", port(), "-3", "set", "a", "1")).isEqualTo("OK\n");
    assertThat(run("redis-cli", "-p", port(), "hset", "h", "f", "v")).isEqualTo("1\n");
    assertThat(run("redis-cli", "-p", port(), "-3", "--json", "hgetall", "h"))
        .isEqualTo("{\"f\":\"v\"}\n");
    assertThat(run("redis-cli", "-p", port(), "--scan").lines()).containsExactly("a", "h");
    assertThat(run("redis-cli", "-p", port(), "--bigkeys")).contains("Sampled 2 keys");
  }

  /** An error reply to any request would end it. */
  @Test
  void theWholeSuiteOfRedisBenchmark() throws Exception {
    Needs.program("redis-benchmark", "redis-tools");
    serve("rocksdb:");
    String said = run("redis-benchmark", "-p", port(), "-q", "-n", "200", "-c", "10", "-P", "4");

    assertThat(said).contains("PING_INLINE", "LRANGE_600", "MSET (10 keys)").doesNotContain("rror");
  }

  @Tag("ci")
  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource({
    "celery_jobs.py, memory:, celery[redis]==5.7.0",
    "rq_jobs.py, memory:, rq==2.12.0 redis==8.1.0",
    "redis_py_lock.py, memory:, redis==8.1.0",
  })
  void pythonInBrief(String script, String engine, String packages) throws Exception {
    python(script, engine, packages);
  }

  @Tag("full")
  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource({
    "redis_py.py, rocksdb:, redis==8.1.0",
    "celery_jobs.py, rocksdb:, celery[redis]==5.7.0",
    "rq_jobs.py, lmdb:, rq==2.12.0 redis==8.1.0",
    "django_cache.py, memory:, django==5.2.8 django-redis==7.0.0 redis==8.1.0",
  })
  void python(String script, String engine, String packages) throws Exception {
    Needs.program("python3", "python3");
    serve(engine);
    Path installed = directory.resolve("packages");
    List<String> install = new ArrayList<>(List.of("python3", "-m", "pip", "install", "-q"));
    install.addAll(List.of("--disable-pip-version-check", "--no-compile"));
    install.addAll(List.of("--target", installed.toString()));
    install.addAll(List.of(packages.split(SPACE)));
    fetched(install);

    said(start(List.of("python3", SCRIPTS.resolve(script).toString(), port()), installed));
  }

  @Tag("full")
  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource({
    "node.mjs, rocksdb:, redis@6.3.1 ioredis@6.0.0",
    "bullmq.mjs, memory:, bullmq@6.7.0 ioredis@6.0.0",
    "bullmq.mjs, rocksdb:, bullmq@6.7.0 ioredis@6.0.0",
    "rate_limiter.mjs, memory:, rate-limiter-flexible@11.4.0 ioredis@6.0.0",
    "connect_redis.mjs, memory:, connect-redis@10.0.0 express@5.3.0 express-session@1.19.0 redis@6.3.1",
  })
  void node(String script, String engine, String packages) throws Exception {
    Needs.program("npm", "npm");
    serve(engine);
    Files.writeString(directory.resolve("package.json"), "{\"type\": \"module\"}");
    List<String> install = new ArrayList<>(List.of("npm", "install", "--silent", "--no-audit"));
    install.add("--no-fund");
    install.addAll(List.of(packages.split(SPACE)));
    fetched(install);
    Files.copy(SCRIPTS.resolve(script), directory.resolve(script));

    said(start(List.of("node", script, port()), directory));
  }

  @Tag("full")
  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource({
    "RedissonUse.java, memory:, org.redisson:redisson:3.45.1",
    "RedissonUse.java, rocksdb:, org.redisson:redisson:3.45.1",
    "SpringUse.java, memory:, org.springframework.integration:spring-integration-redis:7.1.2"
        + " io.lettuce:lettuce-core:7.7.0.RELEASE",
  })
  void java(String script, String engine, String packages) throws Exception {
    serve(engine);
    StringBuilder needed = new StringBuilder();
    for (String each : packages.split(SPACE)) {
      String[] parts = each.split(":");
      needed.append(
          "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>"
              .formatted((Object[]) parts));
    }
    Files.writeString(
        directory.resolve("pom.xml"),
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>clients</groupId><artifactId>clients</artifactId><version>1</version>
          <dependencies>%s</dependencies>
        </project>
        """
            .formatted(needed));
    String maven = Path.of("..", "mvnw").toAbsolutePath().toString();
    fetched(List.of(maven, "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=jars"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    said(
        start(
            List.of(java, "-cp", "jars/*", SCRIPTS.resolve(script).toString(), port()), directory));
  }

  @Tag("full")
  @Test
  void goRedis() throws Exception {
    Needs.program("go", "golang-go");
    serve("rocksdb:");
    Files.copy(SCRIPTS.resolve("main.go"), directory.resolve("main.go"));
    fetched(List.of("go", "mod", "init", "clients"));
    fetched(List.of("go", "get", "github.com/redis/go-redis/v9@v9.23.0"));

    said(start(List.of("go", "run", ".", port()), directory));
  }

  @Tag("full")
  @Test
  void phpRedis() throws Exception {
    needsPhp();
    serve("rocksdb:");

    said(start(List.of("php", SCRIPTS.resolve("phpredis.php").toString(), port()), directory));
  }

  @Tag("full")
  @Test
  void laravel() throws Exception {
    needsPhp();
    Needs.that(
        Files.exists(Path.of("/usr/share/php/Illuminate/Queue/autoload.php")),
        "Laravel's queue",
        "php-illuminate-queue php-illuminate-redis php-illuminate-cache");
    serve("memory:");

    said(start(List.of("php", SCRIPTS.resolve("laravel.php").toString(), port()), directory));
  }

  private void needsPhp() throws Exception {
    Needs.program("php", "php-cli php-redis");
    Needs.that(run("php", "-m").contains("redis"), "PHP's redis extension", "php-redis");
  }

  @Tag("full")
  @Test
  void sidekiq() throws Exception {
    Needs.program("sidekiq", "ruby-sidekiq");
    serve("memory:");

    said(start(List.of("ruby", SCRIPTS.resolve("sidekiq_jobs.rb").toString(), port()), directory));
  }

  /** Runs a command that fetches packages. */
  private void fetched(List<String> command) throws Exception {
    Process process = start(command, directory);
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Needs.that(
        process.waitFor() == 0,
        "a package registry: "
            + String.join(SPACE, command)
            + " failed: "
            + said.lines().limit(5).toList());
  }

  private String run(String... command) throws Exception {
    return output(start(Arrays.asList(command), directory));
  }

  private Process start(List<String> command, Path packages) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("PYTHONPATH", packages.toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return builder.start();
  }

  /**
   * Waits for the end of a script that says that all is well. It need not be its last word: what a
   * client's library prints while its interpreter ends comes after it.
   */
  private static void said(Process process) throws Exception {
    assertThat(output(process).lines().map(String::strip)).contains("ok");
  }

  private static String output(Process process) throws Exception {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
