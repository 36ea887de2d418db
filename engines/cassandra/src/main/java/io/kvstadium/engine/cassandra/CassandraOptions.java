package io.kvstadium.engine.cassandra;

import static io.kvstadium.store.OptionSpec.Scope.STORE;
import static io.kvstadium.store.OptionSpec.Scope.TABLE;

import io.kvstadium.store.OptionSpec;
import java.util.List;

/** The options in URLs. */
final class CassandraOptions {
  static final String PARTITIONS = "partitions";
  static final String CONDITIONAL = "conditional";
  static final String TTL = "ttl";
  static final String REPLICATION = "replication";
  static final String DATACENTER = "datacenter";
  static final String CONSISTENCY = "consistency";
  static final String MAX_CLOCK_DIFFERENCE = "max_clock_difference";
  static final String TIMEOUT = "timeout";
  static final String PASSWORD_FILE = "password_file";
  static final String TLS = "tls";

  static final List<OptionSpec> ALL =
      List.of(
          OptionSpec.integer(
              PARTITIONS,
              TABLE,
              "16",
              1,
              4_096,
              "how many partitions a new table is spread over; 1 gives the store batches, and puts"
                  + " all of it on the same replicas"),
          OptionSpec.bool(
              CONDITIONAL,
              TABLE,
              "false",
              "whether a new table's writes are lightweight transactions, so that putIfAbsent, replace,"
                  + " add and update hold against all clients"),
          OptionSpec.duration(
              TTL,
              TABLE,
              "",
              "1s",
              "175200h",
              "how long after its last write an entry of a new table vanishes, in whole seconds, by the"
                  + " cluster itself; without it never"),
          OptionSpec.integer(
              REPLICATION,
              STORE,
              "",
              1,
              1_000,
              "copies in each datacenter, of a keyspace that is made now; without it 3, or as many as"
                  + " there are nodes"),
          OptionSpec.text(
              DATACENTER,
              STORE,
              "",
              "whose nodes are asked; without it that of the nodes in the URL"),
          OptionSpec.choice(
              CONSISTENCY,
              STORE,
              "quorum",
              List.of("quorum", "local_quorum", "all"),
              "how many replicas answer to each read and write"),
          OptionSpec.duration(
              MAX_CLOCK_DIFFERENCE,
              STORE,
              "500ms",
              "0ms",
              "24h",
              "how far a node's clock may be from this machine's at the open of a store that is written"),
          OptionSpec.duration(
              TIMEOUT, STORE, "20s", "1ms", "24h", "how long to wait for an answer"),
          OptionSpec.text(
              PASSWORD_FILE,
              STORE,
              "",
              "file whose first line is the password; without it $CASSANDRA_PASSWORD is taken"),
          OptionSpec.bool(
              TLS,
              STORE,
              "false",
              "encrypted connections to nodes whose certificates the JVM trusts"));

  private CassandraOptions() {}
}
