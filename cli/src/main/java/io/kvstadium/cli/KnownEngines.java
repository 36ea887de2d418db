package io.kvstadium.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The engines that KV Stadium has adapters for, whether they are installed or not. */
final class KnownEngines {
  /** The modules in {@code engines/}. */
  static final List<String> NAMES =
      List.of(
          "berkeleydb",
          "h2",
          "halodb",
          "lmdb",
          "mapdb",
          "memory",
          "mvstore",
          "mysql",
          "null",
          "qdbm",
          "rocksdb",
          "sparkey",
          "speedb",
          "sqlite",
          "tokyocabinet");

  private KnownEngines() {}

  /** What else there could be, and how to get it, by name. */
  static Map<String, String> missing(Set<String> installed) {
    Map<String, String> missing = new LinkedHashMap<>();
    for (String name : NAMES) {
      if (!installed.contains(name)) {
        missing.put(
            name,
            "put kv-stadium-engine-"
                + name
                + ".jar, with the jars that it depends on, into a folder "
                + name
                + ", and name the folder above it in --engine-path; './stadium' in a checkout of KV"
                + " Stadium builds all into dist/engines");
      }
    }
    return missing;
  }
}
