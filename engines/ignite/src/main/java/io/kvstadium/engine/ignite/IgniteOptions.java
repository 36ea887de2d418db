package io.kvstadium.engine.ignite;

import static io.kvstadium.store.OptionSpec.Scope.STORE;

import io.kvstadium.store.OptionSpec;
import java.util.List;

/** The options in URLs. */
final class IgniteOptions {
  static final String REPLICAS = "replicas";
  static final String PARTITIONS = "partitions";
  static final String STORAGE_PROFILE = "storage_profile";
  static final String REST = "rest";
  static final String TIMEOUT = "timeout";
  static final String TRANSACTION_TIMEOUT = "transaction_timeout";
  static final String PASSWORD_FILE = "password_file";
  static final String TLS = "tls";

  static final List<OptionSpec> ALL =
      List.of(
          OptionSpec.integer(
              REPLICAS,
              STORE,
              "",
              "copies of each entry, in a zone that is made now; without it 3, or as many as there are"
                  + " nodes"),
          OptionSpec.integer(
              PARTITIONS,
              STORE,
              "",
              "how many partitions a zone that is made now spreads each table over; without it as"
                  + " Ignite does"),
          OptionSpec.text(
              STORAGE_PROFILE,
              STORE,
              "default",
              "the nodes' storage profile for a zone that is made now"),
          OptionSpec.text(
              REST,
              STORE,
              "",
              "host:port,host:port of the nodes' REST, which is asked for raft.fsync; without it all"
                  + " nodes' hosts, port 10300, with tls 10400"),
          OptionSpec.duration(TIMEOUT, STORE, "40s", "how long to wait for an answer"),
          OptionSpec.duration(
              TRANSACTION_TIMEOUT,
              STORE,
              "5m",
              "the longest that a commit or a batch may take; the nodes free its locks some time later"),
          OptionSpec.text(
              PASSWORD_FILE,
              STORE,
              "",
              "file whose first line is the password; without it $IGNITE_PASSWORD is taken"),
          OptionSpec.bool(
              TLS,
              STORE,
              "false",
              "encrypted connections to nodes whose certificates the JVM trusts"));

  private IgniteOptions() {}
}
