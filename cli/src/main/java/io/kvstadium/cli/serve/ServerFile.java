package io.kvstadium.cli.serve;

import io.kvstadium.bench.suite.Section;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.ServerOptions.Addresses;
import io.kvstadium.server.ServerOptions.Bound;
import io.kvstadium.server.ServerOptions.Limits;
import io.kvstadium.server.ServerOptions.Reporting;
import io.kvstadium.server.ServerOptions.Security;
import io.kvstadium.server.ServerOptions.Tls;
import io.kvstadium.server.ServerOptions.UserRules;
import io.kvstadium.server.backup.BackupOptions;
import io.kvstadium.server.log.Log;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server's configuration file; docs/server.md describes its format. Relative paths in it are
 * relative to the file, so that they mean the same wherever the server is started.
 *
 * @param path its own
 * @param url of the store as the file has it, or {@code null} if it names none
 */
record ServerFile(Path path, @Nullable String url, ServerOptions options) {
  static final ServerFile NONE = new ServerFile(Path.of(""), null, ServerOptions.DEFAULT);

  /** The name of the protocol that is spoken with {@code --rocksserver}. */
  static final String ROCKSSERVER = "rocksserver";

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
            addresses(root, path),
            security(root, path),
            limits(root.table("limits")),
            reporting(root),
            root.flag("raw"),
            root.small("readers", ServerOptions.DEFAULT.readers(), 1),
            backups(root.table("backups"), path),
            root.flag(ROCKSSERVER) ? ROCKSSERVER : null);
    root.refuseOthers();
    return new ServerFile(path, url, options);
  }

  /**
   * The URL of the store, or {@code null} if the file names none.
   *
   * @throws BadArgumentException if something is wrong with it
   */
  @Nullable String url(Engines engines) {
    if (url == null) {
      return null;
    }
    try {
      StoreUrl parsed = StoreUrl.parse(url);
      Path directory = engines.config(url).path();
      return directory == null || !directory.equals(Path.of(parsed.location()))
          ? url
          : new StoreUrl(
                  parsed.engine(), path.resolveSibling(directory).toString(), parsed.options())
              .toString();
    } catch (StadiumException e) {
      throw new BadArgumentException(path + ": url: " + e.getMessage(), e);
    }
  }

  private static BackupOptions backups(@Nullable Section section, Path own) {
    BackupOptions usual = ServerOptions.DEFAULT.backups();
    if (section == null) {
      return usual;
    }
    BackupOptions backups =
        new BackupOptions(
            own.resolveSibling(section.text("directory")),
            section.small("keep", usual.keep(), 1),
            section.size("max_rate", usual.maxRate()));
    section.refuseOthers();
    return backups;
  }

  private static Addresses addresses(Section root, Path own) {
    Addresses usual = ServerOptions.DEFAULT.addresses();
    String bind = root.text("bind", usual.bind());
    String socket = root.text("unix_socket", null);
    return new Addresses(
        bind == null ? usual.bind() : bind,
        port(root, "port", "no_redis", usual.redisPort()),
        port(root, "http_port", "no_http", usual.httpPort()),
        socket == null ? null : own.resolveSibling(socket),
        mode(root, usual.unixMode()),
        port(root, "health_port", null, usual.healthPort()));
  }

  private static int mode(Section root, int usual) {
    String mode = root.text("unix_socket_mode", Integer.toOctalString(usual));
    if (mode == null || !mode.matches("0?[0-7]{3}")) {
      throw root.wrong("unix_socket_mode", "three octal digits in quotes, as \"770\"");
    }
    return Integer.parseInt(mode, 8);
  }

  private static int port(Section root, String name, @Nullable String without, int usual) {
    int port = root.small(name, usual, 0);
    if (port > MAX_PORT) {
      throw root.wrong(name, "0 to " + MAX_PORT);
    }
    return without != null && root.flag(without) ? -1 : port;
  }

  private static Security security(Section root, Path own) {
    List<UserRules> users = new ArrayList<>();
    for (Section user : root.tables("user")) {
      String rules = user.text("rules");
      users.add(new UserRules(user.text("name"), List.of(rules.trim().split("\\s+"))));
      user.refuseOthers();
    }
    return new Security(password(root, own), users, tls(root.table("tls"), own));
  }

  /** The password, from the file or from a separate one, which can be better protected. */
  private static @Nullable String password(Section root, Path own) {
    String password = root.text("password", null);
    String file = root.text("password_file", null);
    if (password != null && file != null) {
      throw root.error("give password or password_file, not both");
    }
    if (password != null && password.isEmpty()) {
      throw root.wrong("password", "a password that is not empty");
    }
    return file == null ? password : password("password_file", own.resolveSibling(file));
  }

  /**
   * Reads a password from a file.
   *
   * @param option that names the file
   */
  static String password(String option, Path file) {
    String password;
    try {
      password = Files.readString(file).strip();
    } catch (IOException e) {
      throw new BadArgumentException(option + ": cannot read " + file + ": " + e, e);
    }
    if (password.isEmpty()) {
      throw new BadArgumentException(option + ": " + file + " is empty: it must have a password");
    }
    return password;
  }

  private static @Nullable Tls tls(@Nullable Section section, Path own) {
    if (section == null) {
      return null;
    }
    String authority = section.text("client_authority", null);
    Tls tls =
        new Tls(
            own.resolveSibling(section.text("certificate")),
            own.resolveSibling(section.text("key")),
            authority == null ? null : own.resolveSibling(authority));
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
    long argument = section.size("max_argument", usual.maxArgumentBytes());
    if (argument > usual.maxArgumentBytes()) {
      throw section.wrong("max_argument", "a size up to \"512m\"");
    }
    Limits limits =
        new Limits(
            section.small("connections", usual.connections(), 1),
            Duration.ofMillis(Math.round(section.seconds("idle") * 1e3)),
            section.size("memory", usual.memory()),
            section.small("max_arguments", usual.maxArguments(), 10),
            (int) argument,
            bound(section));
    section.refuseOthers();
    return limits;
  }

  private static Bound bound(Section section) {
    String eviction = section.text("eviction", Bound.NONE.eviction());
    return new Bound(
        section.size("max_size", 0), eviction == null ? Bound.NONE.eviction() : eviction);
  }
}
