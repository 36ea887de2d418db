package io.kvstadium.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.Prometheus;
import io.kvstadium.server.http.v1.RangeQuery;
import io.kvstadium.server.http.v1.Version1;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The document describes exactly what exists. */
class OpenApiTest {
  /** The paths of values in it, such as {@code /paths/~v1~tables/get/summary}. */
  private static Set<String> leaves(String json, Set<String> references) throws IOException {
    Set<String> leaves = new HashSet<>();
    try (JsonParser in = new JsonFactory().createParser(json)) {
      for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
        if (token.isScalarValue()) {
          leaves.add(in.getParsingContext().pathAsPointer().toString());
          if ("$ref".equals(in.currentName())) {
            references.add(in.getText().substring(1));
          }
        }
      }
    }
    return leaves;
  }

  private static String served() {
    try (Served served = new Served("memory:")) {
      return served.get("/v1/openapi.json");
    }
  }

  @Test
  void eachRouteIsInTheDocumentAndEachInTheDocumentExists() throws IOException {
    Set<String> documented =
        leaves(served(), new HashSet<>()).stream()
            .filter(leaf -> leaf.startsWith("/paths/") && leaf.endsWith("/summary"))
            .map(leaf -> leaf.split("/", -1))
            .map(parts -> parts[3].toUpperCase(Locale.ROOT) + " " + parts[2].replace("~1", "/"))
            .collect(Collectors.toCollection(TreeSet::new));

    try (Store store = Stadium.open("memory:");
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      Version1 version1 =
          new Version1(
              executor,
              false,
              new ServedBackups(store, ServerOptions.DEFAULT.backups()),
              HttpLimits.DEFAULT,
              new Prometheus(),
              (table, key) -> {});

      assertThat(documented).containsExactlyInAnyOrderElementsOf(version1.routes());
    }
  }

  @Test
  void theParametersOfRangesAreThoseThatAreUnderstood() {
    String document = served();

    assertThat(RangeQuery.PARAMETERS)
        .allMatch(name -> document.contains("\"name\": \"" + name + "\""));
  }

  @Test
  void whatItRefersToIsInIt() throws IOException {
    Set<String> references = new HashSet<>();
    Set<String> leaves = leaves(served(), references);

    assertThat(references).isNotEmpty();
    assertThat(references)
        .allMatch(target -> leaves.stream().anyMatch(leaf -> leaf.startsWith(target + "/")));
  }
}
