package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a Redis whose clients go on writing, to what {@code serve} answers. */
@Tag("full")
class ImportFromRedisTest {
  private static final Pattern PORT = Pattern.compile("redis on 127\\.0\\.0\\.1:(\\d+),");

  private final List<Process> started = new ArrayList<>();
  private final int port = freePort();

  @TempDir Path directory;

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void start() throws Exception {
    for (String each : List.of("redis-server", "redis-benchmark", "redis-cli")) {
      Needs.program(each, "redis-server");
    }
    start("redis-server", "--save", "", "--bind", "127.0.0.1", "--dir", directory.toString());
    while (!ask(port, "PING").equals("PONG")) {
      assertThat(started.getFirst().isAlive()).isTrue();
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (Process each : started.reversed()) {
      each.destroy();
      each.waitFor();
    }
  }

  private Process start(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(words));
    command.addAll(1, List.of(words[0].equals("redis-server") ? "--port" : "-p", "" + port));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    started.add(process);
    return process;
  }

  private static String ask(int port, String... words) throws Exception {
    List<String> command =
        Stream.concat(Stream.of("redis-cli", "-p", "" + port), Stream.of(words)).toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String reply = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return reply.strip();
  }

  @Test
  void allTypesAreServedAfterAnImportUnderLoad() throws Exception {
    // given keys of every type
    String[][] made = {
      {"SET", "string:__rand_int__", "value"},
      {"SET", "due:__rand_int__", "value", "EX", "100000"},
      {"HSET", "hash:__rand_int__", "f", "v", "g", "__rand_int__"},
      {"RPUSH", "list:__rand_int__", "a", "b", "__rand_int__"},
      {"SADD", "set:__rand_int__", "1", "2", "__rand_int__"},
      {"ZADD", "zset:__rand_int__", "1.5", "a", "2", "__rand_int__"},
      {"XADD", "stream:__rand_int__", "*", "f", "__rand_int__"}
    };
    for (String[] each : made) {
      List<String> command = new ArrayList<>(List.of("redis-benchmark"));
      command.addAll(List.of("-q", "-n", "3000", "-r", "3000", "-P", "16"));
      command.addAll(List.of(each));
      assertThat(start(command.toArray(String[]::new)).waitFor()).isZero();
    }
    ask(port, "XGROUP", "CREATE", "stream:000000000001", "g", "0", "MKSTREAM");

    // when it is imported while a client writes
    Process load =
        start(
            "redis-benchmark", "-n", "100000000", "-r", "3000", "-c", "5", "-t", "set,lpush,hset");
    Cli cli = new Cli(directory);
    Cli.Run first = cli.run("import", "redis://127.0.0.1:" + port, "rocksdb:data");
    boolean loaded = load.isAlive();
    load.destroy();
    load.waitFor();
    Cli.Run second = cli.run("import", "redis://127.0.0.1:" + port, "rocksdb:data", "--replace");

    // then
    assertThat(loaded).isTrue();
    assertThat(first.exit()).as(first.err()).isEqualTo(1); // the writer never stopped
    assertThat(first.out())
        .contains("read again", "have changed since", "--follow")
        .doesNotContain("exactly that");
    assertThat(second.exit()).as(second.err()).isZero();
    assertThat(second.out()).contains("the store holds exactly that").doesNotContain("changed");
    Cli.Started served = cli.start("serve", "rocksdb:data", "--port", "0", "--no-http");
    Matcher ready = PORT.matcher(served.awaitOutput("ready: "));
    assertThat(ready.find()).isTrue();
    int ours = Integer.parseInt(ready.group(1));
    String script =
        "local all = redis.call('KEYS', '*') table.sort(all) local said = {}"
            + " for _, key in ipairs(all) do local type = redis.call('TYPE', key).ok"
            + " local value = type == 'string' and redis.call('GET', key)"
            + " or type == 'hash' and redis.call('HGETALL', key)"
            + " or type == 'list' and redis.call('LRANGE', key, 0, -1)"
            + " or type == 'set' and redis.call('SORT', key, 'ALPHA')"
            + " or type == 'zset' and redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')"
            + " or redis.call('XRANGE', key, '-', '+')"
            + " if type == 'hash' then table.sort(value) end"
            + " said[#said + 1] = key .. type .. cjson.encode(value)"
            + " .. tostring(redis.call('TTL', key) > 0) end"
            + " return redis.sha1hex(table.concat(said)) .. #all";
    assertThat(ask(ours, "EVAL", script, "0")).isEqualTo(ask(port, "EVAL", script, "0"));
    assertThat(ask(ours, "XINFO", "GROUPS", "stream:000000000001"))
        .isEqualTo(ask(port, "XINFO", "GROUPS", "stream:000000000001"));
    served.process().destroy();
    served.end();
  }
}
