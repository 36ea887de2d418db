package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.player.Python;
import io.kvstadium.bench.player.PythonSetup;
import io.kvstadium.bench.run.PlayerCheck.Fault;
import io.kvstadium.bench.trial.EngineDeclaration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The player in Python, as it is and with a fault in it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlayerCheckTest {
  @TempDir Path directory;

  private List<Fault> check(PlayerProgram program, Predicate<String> included) throws IOException {
    EngineDeclaration sqlite =
        program.hello().engines().stream()
            .filter(each -> each.name().equals("sqlite"))
            .findFirst()
            .orElseThrow();
    return new PlayerCheck(program, directory.resolve("stores"), _ -> {}).check(sqlite, included);
  }

  private static PlayerProgram python() {
    return PythonSetup.player(Path.of(Python.interpreter()));
  }

  @Test
  void oneThatDoesWhatItShouldHasNoFaults() throws IOException {
    assertThat(check(python(), _ -> true)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "a get that finds nothing, __main__, self.misses += 1, pass, `misses: 0, expected 1`",
        "finds other bytes, __main__, result != value, False, wrong is null",
        "another number of entries, __main__, count != expected, False, wrong is null",
        "a batch over blocks, __main__, `        yield calls`,"
            + " `        if steps: calls.append((several(store, steps), steps)); steps = []\n        yield calls`,"
            + " calls with a latency",
        "read_only, engines, `options.get(\"read_only\") == \"true\"`, False, `it did it, though`",
        "a kill at process, engines, `self.execute(self.PUT, (key, value))`,"
            + " `self.execute(\"BEGIN\") if self.execute.__self__.in_transaction is False else None; self.execute(self.PUT, (key, value))`,"
            + " it had acknowledged",
        "puts, __main__, record(now - before), record((now - before) // 2), the sum of latencies",
        "a new process on the store, engines, ORDER BY key\", ORDER BY key DESC\", comes after",
        "a new process on the store, __main__, len(value)) + key, len(value)) + key[::-1], key",
        "levels, engines, `    def put(self, key, value):`,"
            + " `    def put(self, key, value):\n        1 / 0`, ZeroDivisionError",
        "bulk, engines, `\"read-only\"]`, `\"read-only\", \"bulk-load\"]`, it ended instead",
      })
  void aFaultIsFound(String name, String file, String right, String wrong, String said)
      throws IOException {
    Path source = Path.of(python().command().getLast());
    for (String each : List.of("__main__", "engines", "traces")) {
      String text = Files.readString(source.resolve(each + ".py"));
      assertThat(text.contains(right) || !each.equals(file)).isTrue();
      Files.writeString(
          directory.resolve(each + ".py"), each.equals(file) ? text.replace(right, wrong) : text);
    }
    PlayerProgram faulty =
        PlayerProgram.of(List.of(Python.interpreter(), "-B", directory.toString()));

    List<Fault> faults = check(faulty, each -> each.contains(name));

    assertThat(faults).extracting(Fault::what).first().asString().contains(said);
  }
}
