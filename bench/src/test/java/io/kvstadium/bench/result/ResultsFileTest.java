package io.kvstadium.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.report.FakeResults;
import io.kvstadium.bench.report.RichResults;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFileTest {
  @TempDir Path directory;

  @Test
  void readsWhatItWrote() {
    Path file = directory.resolve("deep/results.json");
    Results results = FakeResults.full();

    ResultsFile.write(results, file);
    ResultsFile.write(results, file);

    assertThat(ResultsFile.read(file)).isEqualTo(results);
    assertThat(file.getParent()).isDirectoryContaining("glob:**results.json");
    assertThat(file.resolveSibling("results.json.part")).doesNotExist();
  }

  @Test
  void thePlanOfEachSuiteIsReadAsItWasWritten() {
    for (String name : SuiteFile.BUILT_IN) {
      Results results =
          FakeResults.of(
              SuiteFile.find(name).experiments().stream()
                  .map(each ->
                      new ExperimentResult(
                          each,
                          Map.of(),
                          each.configurations().stream()
                              .map(plan ->
                                  FakeResults.with(
                                      plan, FakeResults.skipped("any", "not run"), List.of()))
                              .toList()))
                  .toList());

      assertThat(ResultsFile.parse(ResultsFile.toJson(results), name)).isEqualTo(results);
    }
  }

  /** Whoever changes the format changes them too, or measures again (docs/results/make.py). */
  @Test
  void theResultsOfTheDocumentationAreRead() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("../docs/results"), 2)) {
      assertThat(files.filter(file -> file.endsWith("results.json")).toList())
          .isNotEmpty()
          .allSatisfy(file -> assertThat(ResultsFile.read(file).complete()).isTrue());
    }
  }

  @Test
  void openLoopsAndSweepsAreReadAsTheyWereWritten() {
    Results results = RichResults.all();

    assertThat(ResultsFile.parse(ResultsFile.toJson(results), "it")).isEqualTo(results);
  }

  @Test
  void numbersOfTheDataAreNumbers() throws IOException {
    ExperimentResult own = FakeResults.full().experiments().getFirst();
    Map<String, Object> data =
        Map.of("entries", 20_000, "key", "2024", "value bytes", Map.of("min", 3, "max", 2_000));
    ExperimentResult experiment = new ExperimentResult(own.plan(), data, own.configurations());
    Results results = FakeResults.full().withExperiments(List.of(experiment));

    JsonNode written = new ObjectMapper().readTree(ResultsFile.toJson(results));

    JsonNode json = written.at("/experiments/0/data");
    assertThat(json.get("entries").isNumber()).isTrue();
    assertThat(json.at("/value bytes/max").longValue()).isEqualTo(2_000);
    assertThat(json.get("key").isTextual()).isTrue();
    assertThat(ResultsFile.parse(written.toString(), "it")).isEqualTo(results);
    assertThat(Facts.text(experiment.data().get("entries"))).isEqualTo("20,000");
  }

  @Test
  void aFailedWriteLeavesTheOldFile() throws IOException {
    Path file = directory.resolve("results.json");
    Files.createDirectory(directory.resolve("results.json.part"));
    Files.writeString(file, "old");

    assertThatThrownBy(() -> ResultsFile.write(FakeResults.full(), file))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("results.json");
    assertThat(file).hasContent("old");
  }

  @Test
  void refusesANewerSchema() {
    String newer = json().replaceFirst("\"schema\" : 7", "\"schema\" : 8");

    assertThatThrownBy(() -> ResultsFile.parse(newer, "new.json"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("new.json has schema 8")
        .hasMessageContaining("Stadium 0.1.0");
  }

  @Test
  void readsTheNamesOfSchema6() {
    String older =
        json()
            .replaceFirst("\"schema\" : 7", "\"schema\" : 6")
            .replace("\"closedDiskBytes\"", "\"settledDiskBytes\"")
            .replace("\"closedLiveBytes\"", "\"settledLiveBytes\"")
            .replace("\"stable\"", "\"settled\"")
            .replace("\"unstable\"", "\"unsettled\"");

    assertThat(older).contains("settledDiskBytes", "unsettled").doesNotContain("stable\"");
    assertThat(ResultsFile.parse(older, "x.json")).isEqualTo(FakeResults.full());
  }

  @Test
  void refusesAnOlderSchema() {
    String older = json().replaceFirst("\"schema\" : 7", "\"schema\" : 1");

    assertThatThrownBy(() -> ResultsFile.parse(older, "old.json"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("old.json has schema 1")
        .hasMessageContaining("measure again");
  }

  @Test
  void saysWhereAMalformedFileIsWrong() {
    assertThatThrownBy(() -> ResultsFile.parse("{\n  \"schema\": 1,\n  oops", "bad.json"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("bad.json, line 3, column");
    assertThatThrownBy(
            () -> ResultsFile.parse(json().replace("\"cores\" : 8", "\"cores\" : \"many\""), "x"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("line ")
        .hasMessageContaining("machine.cores");
    assertThatThrownBy(() -> ResultsFile.parse(json().substring(0, 900), "cut.json"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("cut.json, line");
  }

  @Test
  void refusesWhatIsNoResultsFile() {
    for (String text : List.of("", "[]", "3", "{}", "{\"schema\": \"1\"}", "{\"schema\": 0}")) {
      assertThatThrownBy(() -> ResultsFile.parse(text, "other.json"))
          .as(text)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("other.json");
    }
  }

  @Test
  void refusesAMissingOrNullField() {
    assertThatThrownBy(
            () -> ResultsFile.parse(json().replaceFirst("\"started\" : \"[^\"]*\",", ""), "x.json"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("started");
    assertThatThrownBy(() ->
            ResultsFile.parse(
                json().replaceFirst("\"cpu\" : \"[^\"]*\"", "\"cpu\" : null"), "x.json"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("machine.cpu");
  }

  @Test
  void toleratesFieldsThatANewerStadiumAdded() {
    String text = json().replaceFirst("\"schema\" : 7", "\"schema\" : 7, \"weather\" : \"rain\"");

    assertThat(text).contains("weather");
    assertThat(ResultsFile.parse(text, "x.json")).isEqualTo(FakeResults.full());
  }

  @Test
  void theOtherFiguresOfAnAuditMustBeThere() {
    for (String line : List.of("\"p999Nanos\" : 9400,", "\"timerNanos\" : 21.0,")) {
      assertThat(json()).contains(line);
      assertThatThrownBy(() -> ResultsFile.parse(json().replace(line, ""), "x.json"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("x.json, line ")
          .hasMessageContaining(line.substring(1, line.indexOf('"', 1)));
    }
    assertThatThrownBy(() ->
            ResultsFile.parse(json().replace("\"slipNanos\" : 90", "\"slipNanos\" : null"), "x"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("audit.slipNanos");
  }

  @Test
  void namesAMissingFile() {
    assertThatThrownBy(() -> ResultsFile.read(directory.resolve("none.json")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("none.json");
  }

  /** Such as those of docs/results, from before that field. */
  @Test
  void publishedResultsAreRead() throws IOException {
    try (Stream<Path> runs = Files.list(Path.of("../docs/results"))) {
      assertThat(runs.map(run -> run.resolve("results.json")).filter(Files::exists))
          .hasSizeGreaterThan(2)
          .allSatisfy(file -> assertThat(ResultsFile.read(file).experiments()).isNotEmpty());
    }
  }

  @Test
  void whatWasEditedIsFound(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("results.json");
    ResultsFile.write(FakeResults.full(), file);
    String written = Files.readString(file);

    assertThat(ResultsFile.isUnedited(file)).isTrue();
    assertThat(ResultsFile.read(file)).isEqualTo(FakeResults.full());
    Files.writeString(file, written.replaceFirst("(\"operations\" : )\\d", "$19"));
    assertThat(ResultsFile.isUnedited(file)).isFalse();
    Files.writeString(file, json());
    assertThat(ResultsFile.isUnedited(file)).as("without a checksum").isFalse();
  }

  /** A field that is missing on either side, or has another type, is named with its place. */
  @Test
  void theSchemaDescribesWhatIsWritten() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode schema =
        mapper.readTree(Files.readString(Path.of("../docs/internals/results.schema.json")));
    List<String> wrong = new ArrayList<>();

    compare("results", schema, mapper.readTree(json()), wrong);

    assertThat(wrong).isEmpty();
  }

  private static void compare(String place, JsonNode schema, JsonNode value, List<String> wrong) {
    if (!types(schema.path("type")).contains(type(value))) {
      wrong.add(place + " is no " + schema.path("type"));
    }
    JsonNode described = schema.path("properties");
    if (value.isObject() && !described.isMissingNode()) {
      schema
          .path("required")
          .forEach(name -> {
            if (!value.has(name.asText())) {
              wrong.add(place + " has no " + name);
            }
          });
      value
          .properties()
          .forEach(field -> {
            if (described.has(field.getKey())) {
              compare(
                  place + "." + field.getKey(),
                  described.get(field.getKey()),
                  field.getValue(),
                  wrong);
            } else if (!schema.path("additionalProperties").asBoolean()) {
              wrong.add(place + "." + field.getKey() + " is not described");
            }
          });
    }
    if (value.isArray() && schema.has("items")) {
      value.forEach(each -> compare(place + "[]", schema.get("items"), each, wrong));
    }
  }

  private static Set<String> types(JsonNode type) {
    Set<String> types = new HashSet<>();
    if (type.isArray()) {
      type.forEach(each -> types.add(each.asText()));
    } else {
      types.add(type.asText());
    }
    if (types.contains("number")) {
      types.add("integer");
    }
    return types;
  }

  private static String type(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "object";
      case ARRAY -> "array";
      case STRING -> "string";
      case BOOLEAN -> "boolean";
      case NULL -> "null";
      case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
      default -> throw new AssertionError(value.getNodeType());
    };
  }

  private static String json() {
    return ResultsFile.toJson(FakeResults.full());
  }
}
