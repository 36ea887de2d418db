package io.kvstadium.bench.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Converts files of older versions to the present form. In schema 2, one word said which tables an
 * experiment wants an audit might lack the schedule slip, and the device's flushes were not
 * counted. The first files of schema 3 lack budgets, aims, times that trials spent, audits of other
 * languages, and evidence of durability.
 */
final class OlderFiles {
  static final int SCHEMA_TWO = 2;

  private OlderFiles() {}

  /** Upgrades a file; returns whether there was anything to do. */
  static boolean upgraded(JsonNode root, int schema) {
    boolean older = schema == SCHEMA_TWO;
    if (older) {
      upgradeSchemaTwo(root);
    }
    if (root instanceof ObjectNode results && !results.has("budgetSeconds")) {
      results.put("budgetSeconds", 0).put("extensions", 0);
      older = true;
    }
    if (root.path("audit") instanceof ObjectNode audit && !audit.has("languages")) {
      audit.putObject("languages");
      older = true;
    }
    for (JsonNode trial : root.findParents("card")) {
      older |= lacked(trial, "spent");
    }
    for (JsonNode configuration : root.findParents("effective")) {
      older |= lacked(configuration, "evidence");
    }
    for (JsonNode each : root.path("experiments")) {
      if (lacked(each, "aim")) {
        ((ObjectNode) each).putObject("aim").putNull("migration").putObject("weights");
        older = true;
      }
    }
    return older;
  }

  /** Adds a missing field as {@code null}; returns whether it was missing. */
  private static boolean lacked(JsonNode node, String name) {
    boolean lacked = node instanceof ObjectNode && !node.has(name);
    if (lacked) {
      ((ObjectNode) node).putNull(name);
    }
    return lacked;
  }

  private static void upgradeSchemaTwo(JsonNode root) {
    ((ObjectNode) root).put("schema", Results.SCHEMA);
    for (JsonNode each : root.path("experiments")) {
      if (each instanceof ObjectNode experiment && experiment.path("form").isTextual()) {
        String form = experiment.remove("form").textValue();
        experiment.put("tables", form.equals("overhead") ? "common" : form);
      }
    }
    if (root.path("audit") instanceof ObjectNode audit && !audit.has("slipNanos")) {
      audit.put("slipNanos", -1).put("slipP99Nanos", -1);
    }
    for (JsonNode phase : root.findParents("cost")) {
      if (phase.get("cost") instanceof ObjectNode cost && !cost.has("flushes")) {
        cost.put("flushes", -1).put("compileNanos", -1);
      }
    }
  }
}
