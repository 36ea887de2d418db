package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AccessTest {
  private final TestServer server =
      TestServer.start("memory:", options -> options.password("secret"));
  private final RespClient admin = server.connect();

  @AfterEach
  void close() {
    admin.close();
    server.close();
  }

  private void login() {
    assertThat(admin.reply("auth", "secret").raw()).isEqualTo("+OK\r\n");
  }

  @Test
  void withoutThePasswordNothingWorks() {
    assertThat(admin.reply("get", "a").raw()).isEqualTo("-NOAUTH Authentication required.\r\n");
    assertThat(admin.reply("kv.tables").raw()).startsWith("-NOAUTH");
    assertThat(admin.reply("info").raw()).startsWith("-NOAUTH");
    assertThat(admin.reply("auth", "wrong").raw()).startsWith("-WRONGPASS");
    assertThat(admin.reply("hello", "3").raw()).startsWith("-NOAUTH HELLO");
    login();
    assertThat(admin.reply("get", "a").raw()).isEqualTo("$-1\r\n");
  }

  @Test
  void theUnknownCannotSendMuch() {
    admin.sendBytes("*11\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(admin.read().raw())
        .isEqualTo("-ERR Protocol error: unauthenticated multibulk length\r\n");
    assertThat(admin.ended()).isTrue();
    try (RespClient other = server.connect()) {
      other.sendBytes("*2\r\n$4\r\nAUTH\r\n$16385\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(other.read().raw())
          .isEqualTo("-ERR Protocol error: unauthenticated bulk length\r\n");
    }
  }

  @Test
  void oneMayAuthenticateAndGoOnInOnePipeline() {
    String value = "x".repeat(20_000);
    admin.sendBytes(
        ("AUTH secret\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000\r\n" + value + "\r\n")
            .getBytes(StandardCharsets.US_ASCII));

    assertThat(admin.read().raw()).isEqualTo("+OK\r\n");
    assertThat(admin.read().raw()).isEqualTo("+OK\r\n");
  }

  @Test
  void aUserMayDoWhatTheRulesSay() {
    login();
    assertThat(
            admin
                .reply(
                    "acl",
                    "setuser",
                    "reader",
                    "on",
                    ">pw",
                    "%R~in:*",
                    "%W~out:*",
                    "&news:*",
                    "=orders",
                    "+@read",
                    "+set",
                    "+kv.get",
                    "+kv.backup",
                    "+subscribe",
                    "+publish")
                .raw())
        .isEqualTo("+OK\r\n");
    try (RespClient reader = server.connect()) {
      assertThat(reader.reply("auth", "reader", "pw").raw()).isEqualTo("+OK\r\n");
      assertThat(reader.reply("acl", "whoami").raw()).startsWith("-NOPERM this user has no");
      assertThat(reader.reply("get", "in:1").raw()).isEqualTo("$-1\r\n");
      assertThat(reader.reply("get", "out:1").raw())
          .isEqualTo(
              "-NOPERM this user has no permissions to access one of the keys used as arguments\r\n");
      assertThat(reader.reply("set", "out:1", "v").raw()).isEqualTo("+OK\r\n");
      assertThat(reader.reply("set", "in:1", "v").raw()).startsWith("-NOPERM");
      assertThat(reader.reply("mget", "in:1", "x").raw()).startsWith("-NOPERM");
      assertThat(reader.reply("del", "out:1").raw())
          .isEqualTo("-NOPERM this user has no permissions to run the 'del' command\r\n");
      assertThat(reader.reply("publish", "news:a", "m").raw()).isEqualTo(":0\r\n");
      assertThat(reader.reply("publish", "other", "m").raw()).startsWith("-NOPERM");
      assertThat(reader.reply("kv.get", "orders", "k").raw()).isEqualTo("$-1\r\n");
      assertThat(reader.reply("kv.get", "people", "k").raw()).startsWith("-NOPERM");
      assertThat(reader.reply("kv.backup", "list").raw()).doesNotContain("NOPERM");

      assertThat(reader.reply("multi").raw()).startsWith("-NOPERM");
      assertThat(admin.reply("acl", "deluser", "reader").raw()).isEqualTo(":1\r\n");
      assertThat(reader.ended()).isTrue();
    }
  }

  @Test
  void whatIsPutOffIsCheckedToo() {
    login();
    admin.reply("acl", "setuser", "writer", "on", ">pw", "~a", "+@all");
    try (RespClient writer = server.connect()) {
      writer.reply("auth", "writer", "pw");
      writer.reply("multi");
      assertThat(writer.reply("set", "b", "1").raw()).startsWith("-NOPERM");
      assertThat(writer.reply("exec").raw()).startsWith("-EXECABORT");
    }
  }

  @Test
  void whoDoesNotAdministrateCannotDisturbOthers() {
    login();
    admin.reply(
        "acl",
        "setuser",
        "writer",
        "on",
        ">pw",
        "~*",
        "+client",
        "-@admin",
        "+sort",
        "-sort_ro",
        "+get");
    try (RespClient writer = server.connect()) {
      writer.reply("auth", "writer", "pw");
      assertThat(writer.reply("client", "pause", "1000").raw())
          .isEqualTo("-NOPERM this user has no permissions to run the 'client|pause' command\r\n");
      assertThat(writer.reply("client", "id").type()).isEqualTo(':');
      admin.reply("acl", "setuser", "writer", "resetkeys", "~own");
      assertThat(writer.reply("sort", "own", "store", "other").raw()).startsWith("-NOPERM");
      assertThat(writer.reply("sort", "own", "get", "secret*").raw())
          .isEqualTo("-ERR GET option of SORT denied due to insufficient ACL permissions.\r\n");
    }
  }

  @Test
  void whoIsKeptFromWhatIsDangerousCannotDropATable() {
    login();
    admin.reply("acl", "setuser", "careful", "on", ">pw", "=*", "+@all", "-@dangerous");
    try (RespClient careful = server.connect()) {
      careful.reply("auth", "careful", "pw");
      assertThat(careful.reply("kv.set", "t", "k", "v").raw()).isEqualTo("+OK\r\n");
      assertThat(careful.reply("kv.drop", "t").raw()).startsWith("-NOPERM");
      assertThat(careful.reply("kv.del", "t", "k").raw()).isEqualTo(":1\r\n");
    }
  }

  @Test
  void rightsThatAreTakenAwayAreGoneAtOnce() {
    login();
    admin.reply("acl", "setuser", "u", "on", ">pw", "~*", "&a*", "+@all");
    try (RespClient user = server.connect();
        RespClient listener = server.connect();
        RespClient other = server.connect()) {
      for (RespClient each : new RespClient[] {user, listener, other}) {
        each.reply("auth", "u", "pw");
      }
      listener.reply("subscribe", "ab");
      other.reply("psubscribe", "a*");
      user.reply("multi");
      user.reply("set", "k", "v");
      user.reply("get", "k");

      admin.reply("acl", "setuser", "u", "-set", "resetchannels", "&a*");
      String block = user.reply("exec").raw();

      assertThat(block)
          .startsWith("*2\r\n-NOPERM ACLs rules changed")
          .contains("'set' command")
          .endsWith("$-1\r\n");
      admin.reply("acl", "setuser", "u", "resetchannels", "&ab");
      assertThat(other.ended()).isTrue();
      assertThat(listener.reply("ping").raw()).isEqualTo("*2\r\n$4\r\npong\r\n$0\r\n\r\n");
    }
  }

  @Test
  void whatWasNotAllowedIsToldToAdministrators() {
    login();
    admin.reply("acl", "setuser", "u", "on", ">pw", "~a", "&c", "=t", "+@all", "-set");
    try (RespClient user = server.connect()) {
      user.reply("auth", "u", "wrong");
      user.reply("auth", "u", "pw");
      user.reply("set", "a", "v");
      user.reply("set", "a", "v");
      user.reply("multi");
      user.reply("get", "b");
      user.reply("exec");
      user.reply("publish", "d", "m");
      user.reply("kv.get", "s", "k");

      List<List<String>> told =
          admin.reply("acl", "log").parts().stream()
              .map(each -> each.parts().stream().map(Reply::text).toList())
              .map(each -> List.of(each.get(1), each.get(3), each.get(5), each.get(7), each.get(9)))
              .toList();

      assertThat(told)
          .containsExactly(
              List.of("1", "table", "toplevel", "s", "u"),
              List.of("1", "channel", "toplevel", "d", "u"),
              List.of("1", "key", "multi", "b", "u"),
              List.of("2", "command", "toplevel", "set", "u"),
              List.of("1", "auth", "toplevel", "AUTH", "u"));
      assertThat(admin.reply("acl", "log", "2").parts()).hasSize(2);
      assertThat(admin.reply("acl", "log", "1").toString()).contains("cmd=kv.get user=u");
      admin.reply("config", "set", "acllog-max-len", "3");
      assertThat(admin.reply("acl", "log").parts()).hasSize(3);
    }
  }

  @Test
  void aWrongRuleChangesNothing() {
    login();
    assertThat(admin.reply("acl", "setuser", "x", "on", "+nosuch").raw())
        .startsWith("-ERR Error in ACL SETUSER modifier '+nosuch'");
    assertThat(admin.reply("acl", "getuser", "x").raw()).isEqualTo("$-1\r\n");
    assertThat(admin.reply("acl", "users").raw()).isEqualTo("*1\r\n$7\r\ndefault\r\n");
    assertThat(admin.reply("acl", "deluser", "default").raw()).startsWith("-ERR The 'default'");
  }

  @Test
  void aRuleWithoutEffectIsWrong() {
    login();
    admin.reply("acl", "setuser", "x", "on", ">pw", "~a", "~*", "&*", "=*");
    String before = admin.reply("acl", "getuser", "x").raw();

    for (String rule : List.of("<other", "!" + "a".repeat(64), "~a", "%R~a", "&a", "=a")) {
      assertThat(admin.reply("acl", "setuser", "x", ">new", rule).raw())
          .startsWith("-ERR Error in ACL SETUSER modifier")
          .doesNotContain("other");
    }
    assertThat(admin.reply("acl", "getuser", "x").raw()).isEqualTo(before).contains("~*", "&*");
    assertThat(admin.reply("acl", "setuser", "x", ">new", "<pw").raw()).isEqualTo("+OK\r\n");
    assertThat(admin.reply("acl", "setuser", "x", "resetkeys", "~a").raw()).isEqualTo("+OK\r\n");
  }

  @Test
  void aRuleTakesThePlaceOfThoseThatItOverrides() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("acl", "setuser", "x", "+memory|doctor", "+get", "+memory", "-get");

      assertThat(client.reply("acl", "list").raw()).contains("-@all +memory -get");
    }
  }
}
