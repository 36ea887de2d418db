package io.kvstadium.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class SuiteFileTest {
  static final List<String> BUILT_IN = SuiteFile.BUILT_IN;

  /** Each line has a number, so that what a message says can be checked. */
  private static final String GOOD =
      """
      name = "mine"
      trials = 2
      description = "a suite"
      heap = "64m"

      [[experiment]]
      name = "first"
      question = "Which?"

      [experiment.data]
      records = 10
      key = "uint64"
      value_size = "45..55"

      [[experiment.phase]]
      name = "load"
      operation = "insert"
      batch = 5

      [[experiment.phase]]
      name = "read"
      operation = "get"
      threads = 3
      operations = 40
      distribution = "zipfian:0.8"

      [[experiment.configuration]]
      name = "big cache"
      engine = "rocksdb"
      durability = "power"
      access = "batch"
      group = "g"
      options = { cache = "64m", bloom = true, bits = 10 }
      location = "//user@host/db"
      jvm = ["-XX:+UseZGC", "-Xss2m"]
      """;

  @ParameterizedTest
  @FieldSource("BUILT_IN")
  void theSuitesThatComeAlongCanBeRead(String name) {
    Suite suite = SuiteFile.find(name);

    assertThat(suite.name()).isEqualTo(name);
    assertThat(suite.description()).isNotBlank();
    assertThat(suite.experiments())
        .isNotEmpty()
        .allSatisfy(each -> {
          assertThat(each.question()).endsWith("?");
          assertThat(each.phases()).isNotEmpty();
        });
  }

  @Test
  void theSuitesOfOurBenchmarksCanBeRead() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "benchmarks"))) {
      assertThat(files.map(Path::toString).filter(file -> file.endsWith(".toml")))
          .hasSizeGreaterThan(2)
          .allSatisfy(file -> assertThat(SuiteFile.find(file).experiments()).isNotEmpty());
    }
  }

  @Test
  void durabilityIsNoOption() {
    String text =
        """
        name = "k"
        [[experiment]]
        [experiment.data]
        [[experiment.phase]]
        operation = "insert"
        [[experiment.configuration]]
        engine = "a"
        options = { durability = "none" }
        """;

    assertThatThrownBy(() -> SuiteFile.parse(text, "k.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("k.toml:6: durability is not an option here");
  }

  @Test
  void aBudgetAndANumberOfTrialsExcludeEachOther() {
    Suite raced = SuiteFile.parse(GOOD.replace("trials = 2", "budget = '3m'"), "k.toml");

    assertThat(raced.budget()).isEqualTo(180);
    assertThat(raced.trials()).isZero();
    assertThatThrownBy(() ->
            SuiteFile.parse(GOOD.replace("trials = 2", "trials = 2\nbudget = '3m'"), "k.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("a budget decides how many trials there are: give budget or trials");
  }

  @Test
  void readsEverythingThatAFileSays() {
    Suite suite = SuiteFile.parse(GOOD, "mine.toml");

    assertThat(suite.trials()).isEqualTo(2);
    assertThat(suite.budget()).isZero();
    assertThat(suite.heap()).isEqualTo(64L << 20);
    Experiment experiment = suite.experiments().getFirst();
    assertThat(experiment.name()).isEqualTo("first");
    assertThat(experiment.question()).isEqualTo("Which?");
    assertThat(experiment.data()).isEqualTo(DataSpec.of(10, "uint64", "45..55"));
    assertThat(experiment.phases())
        .containsExactly(
            PhaseSpec.of("load", Operation.INSERT).withBatch(5),
            Specs.on(
                new Distribution.Zipfian(0.8),
                PhaseSpec.of("read", Operation.GET).sized(40, 0).withThreads(3)));
    assertThat(experiment.configurations())
        .containsExactly(
            new Configuration(
                "big cache",
                "rocksdb",
                Map.of("cache", "64m", "bloom", "true", "bits", "10"),
                Map.of(),
                Durability.POWER,
                Access.BATCH,
                "//user@host/db",
                "g",
                Configuration.JAVA,
                List.of("-XX:+UseZGC", "-Xss2m"),
                null));
  }

  @Test
  void anOptionOfATableCanBeWrittenWithOrWithoutQuotes() {
    String quoted = GOOD.replace("bloom = true", "\"table.users.bloom\" = true");
    String bare = GOOD.replace("bloom = true", "table.users.bloom = true");

    for (String text : new String[] {quoted, bare}) {
      assertThat(SuiteFile.parse(text, "x.toml").experiments().getFirst().configurations())
          .singleElement()
          .satisfies(each ->
              assertThat(each.options()).containsEntry("table.users.bloom", "true").hasSize(3));
    }
  }

  @Test
  void aFileOfOnesOwnIsFoundByItsPath(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("mine.toml"), GOOD);

    assertThat(SuiteFile.find(file.toString())).isEqualTo(SuiteFile.parse(GOOD, "mine.toml"));
  }

  @Test
  void aFileThatIsNotThereIsNamed(@TempDir Path directory) {
    String missing = directory.resolve("none.toml").toString();

    assertThatThrownBy(() -> SuiteFile.find(missing))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(missing);
  }

  @Test
  void anUnknownNameGetsTheNearestAndAllOthers() {
    assertThatThrownBy(() -> SuiteFile.find("quik"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("did you mean 'quick'?")
        .hasMessageContaining("crud")
        .hasMessageContaining(".toml");
  }

  /** What is replaced, by what, the line that the message names, and words of the message. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "trials = 2|trails = 2|2|does not know 'trails' (did you mean 'trials'?)",
        "records = 10|recrods = 10|11|does not know 'recrods' (did you mean 'records'?)",
        "threads = 3|thread = 3|23|does not know 'thread' (did you mean 'threads'?)",
        "group = \"g\"|grupe = \"g\"|32|does not know 'grupe' (did you mean 'group'?)",
        "question = \"Which?\"|quest = \"Which?\"|8|does not know 'quest'",
        "name = \"mine\"|name = 7|1|name cannot be 7: it takes a text in quotes",
        "name = \"mine\"|name = \"my suite\"|1|name cannot be 'my suite'",
        "name = \"mine\"||1|the suite has no 'name': add name = ",
        "trials = 2|trials = 0|2|trials cannot be 0: it takes a whole number, 1 or more",
        "trials = 2|trials = 2.5|2|trials cannot be 2.5: it takes a whole number",
        "trials = 2|trials = \"2\"|2|trials cannot be '2': it takes a whole number",
        "trials = 2|trials = 3000000000|2|it takes a whole number up to 2147483647",
        "trials = 2|budget = 'x'|2|budget cannot be 'x': it takes a duration",
        "trials = 2|seconds = 9.5|2|does not know 'seconds'",
        "heap = \"64m\"|heap = \"lots\"|4|heap cannot be 'lots': it takes a size such as \"512m\"",
        "heap = \"64m\"|heap = \"1m\"|4|heap cannot be '1m': it takes a size of at least \"32m\"",
        "records = 10|records = 0|11|records cannot be 0: it takes a whole number, 1 or more",
        "key = \"uint64\"|key = \"unit64\"|10|Unknown key form 'unit64' (did you mean 'uint64'?)",
        "key = \"uint64\"|key = \"uint64:9\"|10|[data]: Keys of form uint64 cannot be 9 bytes long",
        "value_size = \"45..55\"|value_size = \"big\"|10|Value size 'big' is not understood: write 100",
        "records = 10|compressibility = 1|10|Compressibility 1.0: give a share from 0 to 0.95",
        "records = 10|compressibility = 2|11|compressibility cannot be 2: it takes a number from 0.0",
        "records = 10|order = \"sorted\"|11|order cannot be 'sorted': it takes one of sequential, random",
        "operation = \"get\"|operation = \"gets\"|22|operation cannot be 'gets': it takes one of insert, load, get,",
        "operation = \"get\"||20|operation is missing: it takes one of insert, load, get,",
        "name = \"read\"|name = \"load\"|20|the phase name 'load' is taken",
        "name = \"read\"|name = \"open\"|20|the phase name 'open' is taken",
        "distribution = \"zipfian:0.8\"|distribution = \"zipfan\"|20|(did you mean 'zipfian'?)",
        "distribution = \"zipfian:0.8\"|distribution = \"zipfian:x\"|20|write zipfian:0.99",
        "operation = \"insert\"|operation = \"update\"|6|phase 'load' would find no entries",
        "batch = 5|threads = 2|18|threads cannot be 2: it takes 1 for the operation insert",
        "batch = 5|operations = 4|18|operations cannot be 4: it takes 0 for the operation insert",
        "batch = 5|seconds = 4|18|seconds cannot be 4: it takes 0 for the operation insert",
        "threads = 3|batch = 7|23|batch cannot be 7: it takes 1 for the operation get",
        "durability = \"power\"|durability = \"strong\"|30|durability cannot be 'strong': it takes one of none,",
        "access = \"batch\"|access = \"batches\"|31|(did you mean 'batch'?)",
        "engine = \"rocksdb\"||27|has no 'engine': add engine = ",
        "options = {|options = \"x\" # {|33|options cannot be 'x': it takes a table such as",
        "operation = \"get\"|operation = \"mixed\"\\nmix = { get = 0.5 }|23|mix cannot be {get=0.5}: it takes shares",
        "location = \"//user@|location = \"//user:pw@|34|it takes no password",
        "-Xss2m|-Xmx2g|35|no sizes of the heap",
        "-Xss2m|-Dx=y|35|options that begin with -X",
        "host/db\"|host/db?a=b\"|34|put options into the table",
        "trials = 2|trials = = 2|2|",
        "trials = 2|trials = 2\\ntrials = 3|3|trials",
      })
  void anErrorNamesItsLineAndHelps(String old, String wrong, int line, String message) {
    String replacement = wrong == null ? "" : wrong.replace("\\n", "\n");
    String text = GOOD.replace(old, replacement);
    assertThat(text).isNotEqualTo(GOOD);

    assertThatThrownBy(() -> SuiteFile.parse(text, "dir/mine.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageStartingWith("dir/mine.toml:" + line + ": ")
        .hasMessageContaining(message == null ? "" : message);
  }

  @Test
  void twoExperimentsOfOneNameAreRefused() {
    String text = GOOD + GOOD.substring(GOOD.indexOf("[[experiment]]"));

    assertThatThrownBy(() -> SuiteFile.parse(text, "mine.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessage("mine.toml:36: there are two experiments named 'first': rename one");
  }

  @Test
  void twoConfigurationsOfOneNameAreRefused() {
    String text = GOOD + GOOD.substring(GOOD.indexOf("[[experiment.configuration]]"));

    assertThatThrownBy(() -> SuiteFile.parse(text, "mine.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageStartingWith("mine.toml:36: there are two configurations named 'big cache'");
  }

  @Test
  void whatAnExperimentLacksIsToAdd() {
    String noExperiment = GOOD.substring(0, GOOD.indexOf("[[experiment]]"));
    String noData = GOOD.replace("[experiment.data]", "[ignored]");
    String noPhases =
        GOOD.substring(0, GOOD.indexOf("[[experiment.phase]]"))
            + GOOD.substring(GOOD.indexOf("[[experiment.configuration]]"));

    assertThatThrownBy(() -> SuiteFile.parse(noExperiment, "mine.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("there is no experiment: add a table headed [[experiment]]");
    assertThatThrownBy(() -> SuiteFile.parse(noData, "mine.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageStartingWith("mine.toml:6: ")
        .hasMessageContaining("add a table headed [experiment.data]");
    assertThatThrownBy(() -> SuiteFile.parse(noPhases, "mine.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageStartingWith("mine.toml:6: ")
        .hasMessageContaining("add a table headed [[experiment.phase]]");
  }

  @Test
  void aTableWhereTablesBelongIsRefused() {
    assertThatThrownBy(() -> SuiteFile.parse("name = \"x\"\nexperiment = 3\n", "mine.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessage(
            "mine.toml:2: experiment cannot be 3: it takes tables, each headed [[experiment]]");
  }

  @Test
  void crudHasTheFirstExperimentsParameters() {
    Suite crud = SuiteFile.find("crud");
    Experiment experiment = crud.experiments().getFirst();

    assertThat(crud.trials()).isEqualTo(3);
    assertThat(crud.experiments()).hasSize(1);
    assertThat(experiment.aim().current()).isEqualTo(new Aim.Current("sqlite", null));
    assertThat(experiment.data().records()).isEqualTo(10_000);
    assertThat(experiment.phases())
        .extracting(PhaseSpec::name)
        .containsExactly("write", "read", "scan", "update", "delete");
    assertThat(experiment.phases())
        .allSatisfy(phase -> {
          assertThat(phase.operations()).as("all entries").isZero();
          assertThat(phase.seconds()).isZero();
          assertThat(phase.threads()).isEqualTo(1);
          assertThat(phase.shape().batch()).isEqualTo(1);
        });
    try (EntryIterator entries = experiment.data().workset(1).entries()) {
      int count = 0;
      while (entries.hasNext()) {
        Entry<byte[], byte[]> entry = entries.next();
        assertThat(new String(entry.key(), StandardCharsets.US_ASCII)).matches("[A-Za-z0-9]{20}");
        assertThat(entry.value()).hasSize(1_000);
        assertThat(entry.value()).doesNotContain(0);
        count++;
      }
      assertThat(count).isEqualTo(10_000);
    }
  }

  @Test
  void crudHasTheFirstExperimentsConfigurations() {
    Experiment experiment = SuiteFile.find("crud").experiments().getFirst();

    assertThat(experiment.configurations())
        .extracting(
            Configuration::engine,
            each -> each.options().get("journal_mode"),
            Configuration::access,
            Configuration::durability)
        .containsExactly(
            row("sqlite", "delete", Access.SINGLE, Durability.ENGINE_DEFAULT),
            row("sqlite", "delete", Access.TRANSACTION, Durability.ENGINE_DEFAULT),
            row("sqlite", "wal", Access.SINGLE, Durability.CONSISTENT),
            row("sqlite", "wal", Access.TRANSACTION, Durability.CONSISTENT),
            row("rocksdb", null, Access.SINGLE, Durability.CONSISTENT),
            row("rocksdb", null, Access.TRANSACTION, Durability.CONSISTENT),
            row("rocksdb", null, Access.BATCH, Durability.CONSISTENT));
    assertThat(experiment.configurations().get(5).options())
        .containsEntry("transactions", "pessimistic");
  }

  private static Tuple row(Object... columns) {
    return Tuple.tuple(columns);
  }
}
