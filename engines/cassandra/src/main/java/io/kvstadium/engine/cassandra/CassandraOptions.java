package io.kvstadium.engine.cassandra;

import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.OptionSpec;
import java.util.List;

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

  static final List<OptionSpec> ALL =
      Declarations.options(CassandraOptions.class.getResourceAsStream("options.txt"));

  private CassandraOptions() {}
}
