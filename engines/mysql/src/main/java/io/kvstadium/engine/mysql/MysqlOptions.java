package io.kvstadium.engine.mysql;

import java.util.List;

/** The options in URLs. Those that begin with innodb_ set the server variables of that name. */
final class MysqlOptions {
  static final String SERVER = "server";
  static final String PASSWORD_FILE = "password_file";
  static final String SSL_MODE = "ssl_mode";
  static final String CONNECTIONS = "connections";
  static final String SCHEMA = "schema";

  /** Options that only a private server has, besides its variables. */
  static final List<String> PRIVATE = List.of("memory", SERVER);

  /** Variables of a private server. */
  static final List<String> VARIABLES = List.of("innodb_buffer_pool_size", "innodb_log_file_size");


  private MysqlOptions() {}
}
