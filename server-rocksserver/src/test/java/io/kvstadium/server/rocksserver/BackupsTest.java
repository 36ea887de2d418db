package io.kvstadium.server.rocksserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.backup.BackupOptions;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupsTest {
  private static final Pattern INFO =
      Pattern.compile(
          "2(\nid: [12]\ntimestamp: \\d{10}\n"
              + "time: \\d\\d\\.\\d\\d\\.\\d{4} \\d\\d:\\d\\d:\\d\\d [+-]\\d{4}\nsize: \\d+\n){2}");

  @TempDir private Path directory;

  @Test
  void routesAnswerAsTheOriginal() {
    BackupOptions keep = new BackupOptions(directory.resolve("backups"), 2, Long.MAX_VALUE);
    try (Served served =
        new Served(
            "lmdb:" + directory.resolve("store"),
            ServerOptions.DEFAULT.redisPort(-1).httpPort(0).backups(keep))) {
      assertThat(served.get("/backup/info")).isEqualTo("0");
      assertThat(served.get("/backup")).isEqualTo("FAIL\n");
      served.store.table().put("a".getBytes(UTF_8), "1".getBytes(UTF_8));

      assertThat(served.post("/backup", "")).isEqualTo("OK\n");
      assertThat(served.post("/backup", "")).isEqualTo("OK\n");

      assertThat(served.get("/backup/info")).matches(INFO);
      assertThat(served.post("/backup", "")).isEqualTo("OK\n");
      assertThat(served.post("/backup/info", "")).contains("\nid: 2\n", "\nid: 3\n");
      assertThat(served.post("/backup/mdel", "1\n2\nx\n../2\n/etc/passwd\n1\0"))
          .isEqualTo("FAIL\nOK\n" + "FAIL\n".repeat(4));
      assertThat(served.post("/backup/del", "3")).isEqualTo("OK\n");
      assertThat(served.post("/backup/del", "")).isEqualTo("FAIL\n");
      assertThat(served.get("/backup/info")).isEqualTo("0");
      assertThat(served.log).isEmpty();
    }
  }
}
