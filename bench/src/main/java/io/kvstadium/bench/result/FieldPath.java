package io.kvstadium.bench.result;

import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import java.util.List;

/** Formats a position in a JSON document: {@code experiments[0].name}. */
final class FieldPath {
  private FieldPath() {}

  static String of(List<Reference> path) {
    StringBuilder text = new StringBuilder();
    for (Reference step : path) {
      if (step.getFieldName() == null) {
        text.append('[').append(step.getIndex()).append(']');
      } else {
        text.append(text.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return text.toString();
  }
}
