package io.kvstadium.engine.redis;


/** The options in URLs. */
final class RedisOptions {
  static final String PASSWORD_FILE = "password_file";
  static final String TLS = "tls";
  static final String CONNECTIONS = "connections";
  static final String TIMEOUT = "timeout";
  static final String CLIENT_NAME = "client_name";
  static final String SHARED = "shared";


  private RedisOptions() {}
}
