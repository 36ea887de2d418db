package io.kvstadium.cli.engines;

import io.kvstadium.store.Engines;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The engines that KV Stadium has adapters for but that are not installed. */
final class KnownEngines {
  private KnownEngines() {}

  /** The engines that are missing, and how to get them, by name. */
  static Map<String, String> missing(Set<String> installed) {
    Map<String, String> missing = new LinkedHashMap<>();
    for (String name : Engines.KNOWN) {
      if (!installed.contains(name)) {
        missing.put(
            name,
            "put kv-stadium-engine-"
                + name
                + ".jar, with the jars that it depends on, into a folder "
                + name
                + ", and name the folder above it in --engine-path; './stadium' in a checkout of KV"
                + " Stadium builds all of them into dist/engines");
      }
    }
    return missing;
  }
}
