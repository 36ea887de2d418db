package io.kvstadium.bench.trial;

import java.util.List;
import java.util.Map;

/** What players say of their stores. */
public final class Declared {
  private Declared() {}

  /** A store without options. */
  public static EngineDeclaration store(
      String name, List<String> capabilities, Map<String, String> durability) {
    return new EngineDeclaration(
        name,
        name,
        "1",
        null,
        null,
        null,
        capabilities,
        List.of("single"),
        durability,
        Map.of(),
        null,
        false,
        null,
        null);
  }
}
