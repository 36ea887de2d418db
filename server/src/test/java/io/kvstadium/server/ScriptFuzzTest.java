package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Randomness;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random scripts return what Redis' own server returns, byte by byte. */
final class ScriptFuzzTest {
  private static final int FEW = 2_000;
  private static final int MANY = 20_000;

  /** More are not shown. */
  private static final int SHOWN = 20;

  @Test
  void aFewRandomScriptsReturnWhatTheyReturnInRedis() {
    compare(Randomness.times(FEW));
  }

  @Test
  @Tag("full")
  void manyRandomScriptsReturnWhatTheyReturnInRedis() {
    compare(MANY);
  }

  private static void compare(int count) {
    // given
    RandomScripts scripts = new RandomScripts(Randomness.seed("scripts" + count));
    List<String> differences = new ArrayList<>();

    // when
    try (Oracle oracle = Oracle.start();
        TestServer server = TestServer.start();
        RespClient theirs = oracle.connect();
        RespClient ours = server.connect()) {
      for (int i = 0; i < count && differences.size() < SHOWN; i++) {
        String script = scripts.next();
        String expected = reply(theirs, script);
        String reply = reply(ours, script);
        if (!reply.equals(expected)) {
          differences.add(
              "%s\n  Redis: %s\n  ours:  %s\n"
                  .formatted(
                      script.substring(Math.max(0, script.lastIndexOf("return all("))),
                      expected,
                      reply));
        }
      }
    }

    // then
    assertThat(differences).isEmpty();
  }

  private static String reply(RespClient client, String script) {
    try {
      return client.reply("EVAL", script, "0").raw();
    } catch (UncheckedIOException e) {
      throw new IllegalStateException("after " + script, e);
    }
  }
}
