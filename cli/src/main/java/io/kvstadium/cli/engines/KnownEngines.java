package io.kvstadium.cli.engines;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The engines that KV Stadium has adapters for, installed or not. */
final class KnownEngines {
  private static final String FILE = "engines.txt";

  private KnownEngines() {}

  /** Their names, in order. */
  static List<String> names() {
    try (InputStream in =
        Objects.requireNonNull(KnownEngines.class.getResourceAsStream(FILE), FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The engines that are missing, and how to get them, by name. */
  static Map<String, String> missing(Set<String> installed) {
    Map<String, String> missing = new LinkedHashMap<>();
    for (String name : names()) {
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
