package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.backup.Backups;
import io.kvstadium.server.backup.BackupOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** KV.BACKUP. */
class BackupCommandTest {
  @TempDir private Path directory;

  @Test
  void makesListsVerifiesAndRemoves() {
    Path backups = directory.resolve("backups");
    try (TestServer server =
            TestServer.start(
                "rocksdb:",
                options -> options.backups(new BackupOptions(backups, 2, Long.MAX_VALUE)));
        RespClient client = server.connect()) {
      client.reply("set", "a", "1");

      assertThat(client.reply("kv.backup", "create").raw()).isEqualTo(":1\r\n");
      client.reply("set", "a", "2");
      assertThat(client.reply("KV.BACKUP", "CREATE").raw()).isEqualTo(":2\r\n");

      assertThat(client.reply("kv.backup", "list").raw())
          .startsWith("*2\r\n*12\r\n$2\r\nid\r\n:1\r\n$4\r\ntime\r\n:")
          .contains("$6\r\nengine\r\n$7\r\nrocksdb\r\n$4\r\nform\r\n$5\r\nfiles\r\n");
      assertThat(client.reply("kv.backup", "verify", "2").raw()).isEqualTo("+OK\r\n");
      assertThat(client.reply("kv.backup", "verify", "7").raw())
          .isEqualTo("-ERR there is no backup 7\r\n");
      assertThat(client.reply("kv.backup", "delete", "../1").raw()).startsWith("-ERR '../1' is no");
      assertThat(client.reply("kv.backup", "delete", "1").raw()).isEqualTo(":1\r\n");
      assertThat(client.reply("kv.backup", "delete", "1").raw()).isEqualTo(":0\r\n");
      assertThat(client.reply("kv.backup", "create", "x").raw())
          .isEqualTo("-ERR wrong number of arguments for 'kv.backup|create' command\r\n");
      assertThat(client.reply("kv.backup", "restore").raw()).startsWith("-ERR unknown subcommand");
    }
    String restored = Backups.in(backups).restore(2, directory.resolve("restored"));
    try (Store store = Stadium.open(restored)) {
      Server server = Server.start(store, ServerOptions.DEFAULT.redisPort(0).httpPort(-1), _ -> {});
      try (server;
          RespClient client = RespClient.connect(server.redisPort())) {
        assertThat(client.reply("get", "a").raw()).isEqualTo("$1\r\n2\r\n");
      }
    }
  }

  @Test
  void withoutADirectoryTheSettingIsNamed() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      assertThat(client.reply("kv.backup", "create").raw())
          .startsWith("-ERR this server keeps no backups: start it with --backup-dir DIR");
    }
  }
}
