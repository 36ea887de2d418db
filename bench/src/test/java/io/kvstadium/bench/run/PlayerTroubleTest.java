package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.trial.Declared;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.Plans;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers that do not do what they should: shell scripts. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlayerTroubleTest {
  private static final EngineDeclaration ENGINE =
      Declared.store("memory", List.of("write"), Map.of("none", ""));

  @TempDir Path directory;

  private static String hello(int protocol) {
    return "echo '"
        + Message.encode(new Message.Hello(protocol, "fake", "fake 1", Set.of(), List.of(ENGINE)))
        + "'\n";
  }

  private PlayerProgram worker(String script) throws IOException {
    Path file = Files.writeString(directory.resolve("worker.sh"), script);
    return new PlayerProgram(
        List.of("sh", file.toString()),
        new Message.Hello(Message.PROTOCOL, "fake", "fake 1", Set.of(), List.of(ENGINE)));
  }

  private String failure(String script, long watchdogSeconds) throws IOException {
    Languages languages =
        new Languages(Engines.of(List.of()), List.of("fake"), List.of(worker(script)));
    TrialPlan plan = Plans.of(directory.resolve("trial"), "memory", Access.SINGLE, Map.of());
    Message.Done done =
        new ForkedExecutor(watchdogSeconds, null, directory, languages)
            .run(
                Plans.at(plan, plan.configuration().in("fake")),
                Resources.unlimited(1L << 26),
                _ -> {});
    assertThat(done.result().phases()).isEmpty();
    return String.valueOf(done.result().failure());
  }

  @Test
  void oneThatDiesLeavesItsLastWords() throws IOException {
    assertThat(failure("read task\necho 'the store is on fire' >&2\nexit 3\n", 30))
        .contains("exit code 3", "the store is on fire");
  }

  @Test
  void oneThatCannotStartLeavesItsLastWords() throws IOException {
    assertThat(failure("echo 'no module of that name' >&2\nexit 1\n", 30))
        .contains("exit code 1", "no module of that name");
  }

  @Test
  void garbageIsShown() throws IOException {
    assertThat(failure("read task\necho '@stadium {\"type\":\"played\",,'\n", 30))
        .contains("a line that cannot be read", "\"played\",,");
  }

  @Test
  void oneThatStallsIsEnded() throws IOException {
    assertThat(failure("read task\nexec sleep 50\n", 1)).contains("it hung");
  }

  @Test
  void whatDescribesItselfInAnotherProtocolOrNotAtAllIsNoWorker() throws IOException {
    List<String> old = worker(hello(7)).command();

    assertThatThrownBy(() -> PlayerProgram.of(old))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("speaks version 7 of the protocol");
    assertThatThrownBy(() -> PlayerProgram.of(List.of("echo")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("asked to describe itself, it said 'describe'");
  }

  @Test
  void whatItNeedNotSayHasADefaultAndWhatIsMissingIsNamed() throws IOException {
    String engine = "{\"name\":\"own\",\"version\":\"1\",\"capabilities\":[\"write\"]%s}";
    String all = engine.formatted(",\"durability\":{\"none\":\"\"},\"options\":null");

    assertThat(PlayerProgram.of(saying(all)).engines().engine("own").info().options()).isEmpty();
    assertThatThrownBy(() -> PlayerProgram.of(saying(engine.formatted(""))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("engine own needs");
  }

  @Test
  void anEngineHasALevelUnlessItIsNotThere() throws IOException {
    String engine =
        "{\"name\":\"own\",\"version\":\"\",\"capabilities\":[],\"durability\":{},\"unavailable\":%s}";

    assertThat(PlayerProgram.of(saying(engine.formatted("\"no header\""))).engines().engine("own"))
        .returns("no header", Engine::unavailable);
    assertThatThrownBy(() -> PlayerProgram.of(saying(engine.formatted("null"))))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("engine own has no level");
  }

  private List<String> saying(String engine) throws IOException {
    return worker(
            "echo '@stadium {\"type\":\"hello\",\"protocol\":%d,\"language\":\"x\",\"version\":\"1\",\"engines\":[%s]}'\n"
                .formatted(Message.PROTOCOL, engine))
        .command();
  }
}
