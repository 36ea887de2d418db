package io.kvstadium.bench.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Brings a file of schema 2 into the present form. There, one word said which tables an experiment
 * wants and whether its trials are paired, an audit might lack the schedule slip, and the device's
 * flushes were not counted.
 */
final class SchemaTwo {
  static final int NUMBER = 2;

  private SchemaTwo() {}

  static JsonNode upgraded(JsonNode root) {
    ((ObjectNode) root).put("schema", Results.SCHEMA).putNull("race");
    for (JsonNode each : root.path("experiments")) {
      if (each instanceof ObjectNode experiment && experiment.path("form").isTextual()) {
        String form = experiment.remove("form").textValue();
        boolean paired = form.equals("overhead");
        experiment.put("tables", paired ? "common" : form).put("paired", paired);
      }
    }
    if (root.path("audit") instanceof ObjectNode audit && !audit.has("slipNanos")) {
      audit.put("slipNanos", -1).put("slipP99Nanos", -1);
    }
    for (JsonNode trial : root.findParents("card")) {
      ((ObjectNode) trial).putNull("spent");
    }
    for (JsonNode phase : root.findParents("cost")) {
      if (phase.get("cost") instanceof ObjectNode cost && !cost.has("flushes")) {
        cost.put("flushes", -1).put("compileNanos", -1);
      }
    }
    return root;
  }
}
