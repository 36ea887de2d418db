package io.kvstadium.cli;

import io.kvstadium.bench.suite.Section;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.ServerOptions.Addresses;
import io.kvstadium.server.ServerOptions.KeepBackups;
import io.kvstadium.server.ServerOptions.Limits;
import io.kvstadium.server.ServerOptions.Reporting;
import io.kvstadium.server.ServerOptions.Security;
import io.kvstadium.server.ServerOptions.Tls;
import io.kvstadium.server.ServerOptions.UserRules;
import io.kvstadium.server.log.Log;
import io.kvstadium.store.BackupOptions;
import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server's configuration file; docs/server.md describes its format.
 *
 * @param url of the store, or {@code null} if it names none
 */
record ServerFile(@Nullable String url, ServerOptions options) {
  static final ServerFile NONE = new ServerFile(null, ServerOptions.DEFAULT);

  private static final int MAX_PORT = 65_535;

  /**
   * Reads a file.
   *
   * @throws BadArgumentException with the file and line of what is wrong
   */
  static ServerFile read(Path path) {
    String text;
    try {
      text = Files.readString(path);
    } catch (IOException e) {
      throw new BadArgumentException("cannot read the server's file " + path + ": " + e, e);
    }
    Section root = Section.of(text, path.toString(), "the server's file");
    String url = root.text("url", null);
    ServerOptions options =
        new ServerOptions(
            addresses(root),
            security(root),
            limits(root.table("limits")),
            reporting(root),
            root.flag("raw"),
            root.small("readers", ServerOptions.DEFAULT.readers(), 1),
            backups(root.table("backups")));
    root.refuseOthers();
    return new ServerFile(url, options);
  }

  private static KeepBackups backups(@Nullable Section section) {
    KeepBackups usual = ServerOptions.DEFAULT.backups();
    if (section == null) {
      return usual;
    }
    KeepBackups backups =
        new KeepBackups(
            Path.of(section.text("directory")),
            section.small("keep", usual.keep(), 1),
            new BackupOptions(
                section.size("max_rate", String.valueOf(usual.how().maxRate())),
                section.flag("links")));
    section.refuseOthers();
    return backups;
  }

  private static Addresses addresses(Section root) {
    Addresses usual = ServerOptions.DEFAULT.addresses();
    String bind = root.text("bind", usual.bind());
    String socket = root.text("unix_socket", null);
    return new Addresses(
        bind == null ? usual.bind() : bind,
        port(root, "port", "no_redis", usual.redisPort()),
        port(root, "http_port", "no_http", usual.httpPort()),
        socket == null ? null : Path.of(socket));
  }

  private static int port(Section root, String name, String without, int usual) {
    int port = root.small(name, usual, 0);
    if (port > MAX_PORT) {
      throw root.wrong(name, "0 to " + MAX_PORT);
    }
    return root.flag(without) ? -1 : port;
  }

  private static Security security(Section root) {
    List<UserRules> users = new ArrayList<>();
    for (Section user : root.tables("user")) {
      String rules = user.text("rules");
      users.add(new UserRules(user.text("name"), List.of(rules.trim().split("\\s+"))));
      user.refuseOthers();
    }
    return new Security(password(root), users, tls(root.table("tls")));
  }

  /** The password, from the file or from a separate one, which can be better protected. */
  private static @Nullable String password(Section root) {
    String password = root.text("password", null);
    String file = root.text("password_file", null);
    if (file == null) {
      return password;
    }
    if (password != null) {
      throw root.error("give password or password_file, not both");
    }
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      throw root.wrong("password_file", "the path of a file that can be read, with the password");
    }
  }

  private static @Nullable Tls tls(@Nullable Section section) {
    if (section == null) {
      return null;
    }
    String authority = section.text("client_authority", null);
    Tls tls =
        new Tls(
            Path.of(section.text("certificate")),
            Path.of(section.text("key")),
            authority == null ? null : Path.of(authority));
    section.refuseOthers();
    return tls;
  }

  private static Reporting reporting(Section root) {
    String notify = root.text("notify", "");
    String form = root.text("log", Log.Form.TEXT.word());
    for (Log.Form each : Log.Form.values()) {
      if (each.word().equals(form)) {
        return new Reporting(notify == null ? "" : notify, each);
      }
    }
    throw root.wrong("log", "\"text\", \"pairs\" or \"json\"");
  }

  private static Limits limits(@Nullable Section section) {
    Limits usual = ServerOptions.DEFAULT.limits();
    if (section == null) {
      return usual;
    }
    long word = section.size("word", Integer.toString(usual.wordBytes()));
    if (word > usual.wordBytes()) {
      throw section.wrong("word", "a size up to \"512m\"");
    }
    Limits limits =
        new Limits(
            section.small("connections", usual.connections(), 1),
            Duration.ofMillis(Math.round(section.seconds("idle") * 1e3)),
            section.size("memory", Long.toString(usual.memory())),
            section.small("words", usual.words(), 10),
            (int) word);
    section.refuseOthers();
    return limits;
  }
}
