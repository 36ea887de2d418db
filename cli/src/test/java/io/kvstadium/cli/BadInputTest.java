package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user's mistake is answered with one sentence that says what was wrong. */
@TestInstance(Lifecycle.PER_CLASS)
class BadInputTest {
  private static final String SUITE =
      """
      name = "tiny"
      [[experiment]]
      [experiment.data]
      records = 10
      [[experiment.phase]]
      operation = "insert"
      [[experiment.configuration]]
      engine = "memory"
      durability = "none"
      """;

  private Path directory; // shared, since no command may write anything
  private Resident stadium;

  @BeforeAll
  void layOut(@TempDir Path fresh) throws IOException {
    directory = fresh;
    file("a-file", "");
    file("used/results.json", "{}");
    file("good.toml", SUITE);
    file("reads.toml", SUITE + "[[experiment.phase]]\noperation = \"get\"\n");
    file("empty", "");
    file("deletes.log", "echo x\nping\n");
    file("escape.properties", "recordcount=\\u12\n");
    file("broken/results.json", "{\"stadium\": ");
    file("broken.toml", "name = \"tiny\"\ntrials = = 3\n");
    file("typo.toml", SUITE.replace("records", "recrods"));
    file("unknown-engine.toml", SUITE.replace("memory", "memroy"));
    file("not.json", "this is no JSON");
    file("other.json", "{\"name\": \"something else\"}");
    file("newer.json", "{\"schema\": 999, \"stadium\": \"9.9\"}");
    file("cut.json", "{\"schema\": 1, \"stadium\": \"0.1.0\", \"suite\":");
    stadium = new Resident(directory);
  }

  @AfterAll
  void end() {
    stadium.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          bnech                                            | unknown command 'bnech' (did you mean 'bench'?)
          nosuch --help                                    | unknown command 'nosuch'; there are: bench
          nosuch --version                                 | unknown command 'nosuch'; there are: bench
          nosuch trace stat                                | unknown command 'nosuch'; there are: bench
          trace nosuch --help                              | unknown command 'nosuch'; there are: stat
          cluster nosuch -h                                | unknown command 'nosuch'; there are: start
          --verison                                        | unknown option '--verison' (did you mean '--version'?)
          bench --trails 3                                 | unknown option '--trails' (did you mean '--trials'?)
          bench --trails=3                                 | unknown option '--trails' (did you mean '--trials'?)
          bench quick crud                                 | one argument too many: 'crud'
          bench --trials                                   | --trials needs a value: N
          bench crdu                                       | unknown suite 'crdu' (did you mean 'crud'?)
          bench --show crdu                                | unknown suite 'crdu' (did you mean 'crud'?)
          bench --engines rokcsdb                          | unknown engine 'rokcsdb' (did you mean 'rocksdb'?)
          bench load --engines memory                      | no engine can run the suite load: memory: engine
          bench broken.toml                                | broken.toml:2:
          bench typo.toml                                  | typo.toml:4: [data] does not know 'recrods' (did you mean 'records'?)
          bench unknown-engine.toml                        | unknown engine 'memroy' (did you mean 'memory'?)
          bench nowhere.toml                               | there is no suite file nowhere.toml
          bench good.toml --out used                       | --out used holds the results of another run
          bench good.toml --out a-file                     | --out a-file is a file
          bench good.toml --out a-file/below               | cannot make the directory a-file/below
          bench good.toml --trials -1                      | --trials -1: give a whole number, 1 or more
          bench good.toml --trials 0                       | --trials 0: give a whole number, 1 or more
          bench good.toml --trials x                       | --trials x: give a whole number
          bench good.toml --threads 0                      | --threads 0: give a whole number, 1 or more
          bench good.toml --weights instert=1              | no phase 'instert' (did you mean 'insert'?); there are: insert
          bench good.toml --scale 0                        | --scale 0.0: give a number above 0
          bench good.toml --scale NaN                      | --scale NaN: give a number above 0
          bench good.toml --durability foo                 | 'foo'
          bench good.toml --memory much                    | --memory 'much' is not a valid size
          bench good.toml --memory 512                     | a memory limit of 512 bytes is too little for a virtual machine: give at least 128m (did you mean 512m?)
          bench good.toml --engines lmdb,lmdb:?mapsize=1g  | no option 'mapsize' (did you mean 'map_size'?)
          bench good.toml --engines ''                     | --engines "" names nothing
          bench good.toml --engines lmdb, sqlite           | (write a,b without a space, or put quotes around the list)
          bench --engines lmdb, sqlite                     | --engines lmdb,: there is nothing after the last comma
          bench --engines a,,b                             | --engines a,,b: there is nothing between two commas
          bench good.toml --data used --scale 2            | --scale has no effect beside --data
          bench good.toml --dry-run --json                 | --json has no effect beside --dry-run
          bench good.toml --details --json                 | --details is for the table
          bench --show quick --engines lmdb                | so --engines cannot be given with it
          report newer.json other.json                     | one argument too many: 'other.json'
          bench quick --engines lmdb --out /proc/x         | cannot make the directory /proc/x
          bench good.toml --memory 10m                     | a memory limit of 10 MiB is too little for a virtual machine: give at least 128m
          bench good.toml --rate 0                         | rate '0': it must be above 0
          bench good.toml --rate fast                      | rate 'fast': give operations per second
          bench good.toml --rate 5000                      | --rate: the suite tiny has no phase that could also run at a fixed rate
          bench reads.toml --rate search                   | --rate search needs a limit: add --limit "p99 < 2ms"
          bench reads.toml --rate 70%                      | rate '70%': give operations per second
          bench reads.toml --rate 5 --limit often          | limit 'often': give a percentile and a time
          bench reads.toml --limit p99<2ms                 | --limit needs --rate: add a rate, such as --rate 5000
          bench good.toml --cold                           | --cold: the suite tiny has no phase that only reads
          bench good.toml --language perl                  | --language perl: trials cannot run in that; give one of java, c, go, python, rust
          bench good.toml --language pyton                 | trials cannot run in that (did you mean 'python'?)
          bench good.toml --language go=./none             | the player './none' cannot be started
          bench good.toml --language go=echo               | 'echo' is no player, or cannot start
          bench good.toml --language go="./none            | there is no second "
          engines --language perl                          | --language perl: there is no player for it; there are java, c, go
          engines --language java pebble                   | unknown engine 'pebble'
          check-player ./none                              | the player './none' cannot be started
          bench good.toml --python /usr/bin/python3        | --python is for trials in Python: add --language python
          check                                            | ENGINE is missing
          check lmdb:app                                   | verify lmdb:app
          bench --resume nowhere                           | there is no run to resume in nowhere, because it has no results.json
          bench --resume used                              | used/results.json is not a Stadium results file
          bench --resume broken                            | broken/results.json, line 1
          bench quick --resume nowhere                     | --resume continues the run as it began, so SUITE cannot be given
          bench --resume nowhere --trials 9                | so --trials cannot be given with it
          bench good.toml --format xml                     | --format xml: give table, json, csv or markdown
          bench good.toml --json --format csv              | --json and --format cannot be combined
          bench good.toml --key id                         | --key names a field of --data, which is missing
          bench quick --engines memory --durability process| engine memory cannot give durability process
          advise                                           | there is nothing to advise on: give --trace FILE, --data PATH or a SUITE
          advise queue --trace app.trace                   | --trace is the whole workload: leave out queue
          trace import --format commands deletes.log x     | nothing in it is an operation on keys and values
          trace import --format ycsb escape.properties x.toml | --format ycsb is not its format
          advise --trace nowhere.trace                     | there is no trace nowhere.trace
          advise --trace not.json                          | this is not a trace of KV Stadium
          advise scale                                     | advise takes one workload, and the suite scale has 7 experiments
          advise queue --current sqlit                     | unknown engine 'sqlit' (did you mean 'sqlite'?)
          advise queue --current sqlite:x?cahce_size=1m    | 'cahce_size'
          advise queue --current redis://localhost/0       | stores on a server are not compared here
          advise queue --limit often                       | limit 'often': give a percentile and a time
          advise queue --rate fast                         | rate 'fast': give operations per second, such as 5000 or 20k
          advise queue --rate search                       | --rate search: advise has a fixed rate
          advise queue --budget 5s                         | --budget 5s is too short to compare anything
          advise queue --memory 10m                        | a memory limit of 10 MiB is too little
          advise queue --disk much                         | --disk 'much' is not a valid size
          advise queue --engines rocksdb:?block_size=16k   | advise chooses the options itself: give the engine's name
          advise queue --engines memory --durability power | no engine can run the suite advise: memory: engine memory cannot give durability power
          copy lmdb:nowhere sqlite:b                       | there is no lmdb store in nowhere
          browse nowhere                                   | there is nothing at
          browse used                                      | used holds nothing that is known
          browse lmdb:nowhere                              | there is no lmdb store in nowhere
          browse used --port 70000                         | --port 70000 is no port
          stat sqlite:nowhere                              | there is no sqlite store in nowhere
          get lmdb:nowhere key                             | there is no lmdb store in nowhere
          shell lmdb:nowhere --write                       | there is no lmdb store in nowhere, and only --create makes one
          get                                              | URL and KEY are missing
          get null: --keys lnog key                        | unknown codec 'lnog' (did you mean 'long'?)
          get memory: --keys int x                         | 'x' does not match the codec int: write -5
          scan memory: --limit -1                          | --limit -1: give a whole number, 0 or more
          scan memory: --format xml                        | --format
          scan memory: --prefix a --to b                   | --prefix cannot be combined with --from or --to
          scan memory: --keys long --prefix 1              | the codec long has values of fixed length
          put memory: --zzzzzzzz x                         | VALUE is missing, and unknown option '--zzzzzzzz'; a key or a value that begins with - goes after --
          import empty sqlite:b                            | empty is empty: give data with at least one entry
          import good.toml sqlite:b                        | the format of 'good.toml' cannot be told from its name
          engines rokcsdb                                  | unknown engine 'rokcsdb' (did you mean 'rocksdb'?)
          report                                           | RESULTS
          report nowhere.json                              | no results at nowhere.json
          report used                                      | used/results.json is not a Stadium results file
          report not.json                                  | not.json, line 1
          report other.json                                | other.json is not a Stadium results file
          report newer.json                                | newer.json has schema 999
          report cut.json                                  | cut.json, line 1
          compare not.json                                 | not.json
          bench good.toml --profile rocksdb                | --profile rocksdb: no configuration of that name is measured; there are memory
          bench good.toml --profile memory:read            | --profile memory:read: it has no phase 'read'; there are insert
          bench good.toml --progress xml                   | --progress xml: give text or jsonl
          history nowhere                                  | no results at nowhere
          history newer.json                               | newer.json has schema 999
          history used                                     | used/results.json is not a Stadium results file
          history a-file --figure p42                      | 'p42' is no figure that runs are compared by
          bench good.toml --fail-on slower                 | --fail-on, --margin and --html are about a change: add --against RUN
          compare a-file a-file --html nowhere/x.html      | --html nowhere/x.html: give a file in a directory that is there
          bench good.toml --against nowhere                | --against (no results.json is there): nowhere is not a directory
          bench good.toml --against nowhere --fail-on p99  | 'p99' is no condition
          bench good.toml --against newer.json             | newer.json has schema 999
          compare newer.json newer.json                    | newer.json has schema 999
          compare not.json nowhere.json                    | not.json
          compare a-file a-file --fail-on lower            | 'lower' is no condition: give slower, or a figure
          compare a-file a-file --fail-on throughput>5%    | 'throughput>5%' is no loss: of throughput more is better
          cluster                                          | say what to do: 'stadium cluster start', status or stop
          cluster begin                                    | unknown command 'begin'
          cluster start redis                              | a cluster of 'redis' cannot be started here
          cluster start --home used                        | there is no Cassandra in [used]
          cluster status                                   | there is no cluster in
          cluster stop --dir used                          | used: start one, or name its directory with --dir
          torture                                          | name a store, such as rocksdb:
          torture memory:                                  | engine memory keeps no files of its own here
          torture rocksdb: --faults fire                   | unknown fault 'fire': use kill, server, power
          torture sqlite: --fs btrfs                       | unknown file system 'btrfs': use ext4, xfs
          torture sqlite: --rounds 0                       | --rounds 0: give a number from 1 to
          torture sqlite:used --faults kill                | holds something that a torture run did not make
          torture lmdb: --durability none                  | engine lmdb has no separate settings for none
          torture lmdb:?durability=power                   | give the durability with --durability
          torture --replay x --rounds 3                    | so --rounds cannot be given with it
          torture --replay x                               | 'x' is not a line to replay
          verify sqlite:used                               | holds files that are not a store of engine sqlite
          verify sqlite:nowhere                            | there is no sqlite store in nowhere
          """)
  void isAnsweredByOneSentence(String arguments, String expected) throws IOException {
    List<String> before = files();

    Run run =
        stadium.run(
            Stream.of(arguments.split(" +")).map(each -> each.equals("''") ? "" : each).toArray());

    assertThat(run.err()).contains(expected);
    assertThat(run.errLines()).hasSize(1);
    assertThat(run.err()).startsWith("stadium: ").doesNotContain("Exception", "\tat ");
    assertThat(run.out()).isEmpty();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void saysWhatIsWrongWithAnOptionAndWhereHelpIs() {
    Run run = new Cli(directory).run("bench", "--nothing-like-it");

    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "stadium: unknown option '--nothing-like-it'; see 'stadium bench --help'");
  }

  private void file(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.map(Path::toString).sorted().toList();
    }
  }
}
