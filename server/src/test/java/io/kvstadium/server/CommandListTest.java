package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every command of Redis is served, or refused by an error that names the page. */
final class CommandListTest {
  private static final String[] REFUSALS = {
    "docs/server.md", "cluster support disabled", "wrong number"
  };

  private static final String[] SUBCOMMAND = {"unknown subcommand", "cluster support disabled"};

  @Test
  void everyCommandOfRedisIsServedOrRefusedByName() {
    // given
    try (TestServer server = TestServer.start();
        RespClient ours = server.connect();
        Oracle oracle = Oracle.start();
        RespClient theirs = oracle.connect()) {
      List<String> served = texts(ours.reply("COMMAND", "LIST"));

      // when
      List<String> unknown = new ArrayList<>();
      List<String> refused = new ArrayList<>();
      for (String each : texts(theirs.reply("COMMAND", "LIST"))) {
        Reply info = ours.reply("COMMAND", "DOCS", each);
        String[] words = each.split("\\|");
        boolean isRefused = info.toString().contains("Refused: ");
        if (words.length == 2) {
          String answer = String.valueOf(ours.call(words));
          if (answer.contains("unknown subcommand")) {
            unknown.add(each);
          } else if (isRefused) {
            assertThat(answer).as(each).containsAnyOf(REFUSALS);
          }
        } else if (!served.contains(each)) {
          unknown.add(each);
        } else if (isRefused) {
          refused.add(each);
          boolean hasSubcommands = served.stream().anyMatch(own -> own.startsWith(each + "|"));
          assertThat(String.valueOf(ours.call(each, "a")))
              .as(each)
              .containsAnyOf(hasSubcommands ? SUBCOMMAND : REFUSALS);
        }
      }

      // then
      assertThat(unknown).isEmpty();
      assertThat(refused).hasSizeLessThan(50).doesNotContain("get", "sort", "geoadd");
    }
  }

  private static List<String> texts(Reply list) {
    return list.parts().stream().map(each -> String.valueOf(each.text())).toList();
  }
}
