package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every command of Redis is served, or refused by an error that names the page. */
final class CommandListTest {
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
        if (words.length == 2) {
          String answer = String.valueOf(ours.call(words));
          if (answer.contains("unknown subcommand")) {
            unknown.add(each);
          }
        } else if (!served.contains(each)) {
          unknown.add(each);
        } else if (info.toString().contains("Refused: ")) {
          refused.add(each);
          String error = String.valueOf(ours.call(each, "a"));
          assertThat(error)
              .as(each)
              .containsAnyOf("docs/server.md", "cluster support disabled", "wrong number");
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
