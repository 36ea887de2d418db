package io.kvstadium.engine.cassandra;


/** The options in URLs. */
final class CassandraOptions {
  static final String PARTITIONS = "partitions";
  static final String REPLICATION = "replication";
  static final String DATACENTER = "datacenter";
  static final String CONSISTENCY = "consistency";
  static final String MAX_CLOCK_DIFFERENCE = "max_clock_difference";
  static final String TIMEOUT = "timeout";
  static final String PASSWORD_FILE = "password_file";
  static final String TLS = "tls";


  private CassandraOptions() {}
}
