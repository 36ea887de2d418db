package io.kvstadium.engine.mysql;

import static io.kvstadium.store.OptionSpec.Scope.STORE;
import static io.kvstadium.store.OptionSpec.Scope.TABLE;

import io.kvstadium.store.OptionSpec;
import java.util.List;

/** The options in URLs. Those that begin with innodb_ set the server variables of that name. */
final class MysqlOptions {
  static final String DIR = "dir";
  static final String SERVER = "server";
  static final String PASSWORD_FILE = "password_file";
  static final String SSL_MODE = "ssl_mode";
  static final String CONNECTIONS = "connections";
  static final String SCHEMA = "schema";

  /** Variables of a private server. */
  static final List<String> VARIABLES = List.of("innodb_buffer_pool_size", "innodb_log_file_size");

  static final List<OptionSpec> ALL =
      List.of(
          OptionSpec.text(DIR, STORE, "", "directory of the store in mysql:private?dir=…"),
          OptionSpec.text(
              SERVER,
              STORE,
              "",
              "private: an installed mariadbd, instead of the one found or downloaded"),
          OptionSpec.size(
              VARIABLES.get(0),
              STORE,
              "",
              "8m",
              "1t",
              "private: memory for pages, 128m by default"),
          OptionSpec.size(
              VARIABLES.get(1),
              STORE,
              "",
              "4m",
              "64g",
              "private: size of the redo log, 96m by default"),
          OptionSpec.text(
              PASSWORD_FILE,
              STORE,
              "",
              "own server: file whose first line is the password; without it $MYSQL_PWD is taken"),
          OptionSpec.choice(
              SSL_MODE,
              STORE,
              "preferred",
              List.of("disabled", "preferred", "required", "verify_ca", "verify_identity"),
              "own server: whether the connection is encrypted"),
          OptionSpec.integer(
              CONNECTIONS,
              STORE,
              "64",
              1,
              10_000,
              "most connections; open snapshots and long scans keep one"),
          OptionSpec.choice(
              SCHEMA,
              TABLE,
              "kv",
              List.of("kv", "casket"),
              "form of a new table: keys as the primary key, or as an index beside a number"));

  private MysqlOptions() {}
}
