package io.kvstadium.cli.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ProfileOptionTest {
  private static final Configuration LMDB =
      new Configuration("lmdb: big", "lmdb", Map.of(), Durability.NONE, Access.SINGLE, "equal");
  private static final Plan PLAN =
      Plan.of(
          new Suite(
              "s",
              "",
              1,
              0,
              1L << 27,
              List.of(
                  Experiment.of(
                      "e",
                      "?",
                      DataSpec.of(10, "uint64", "100"),
                      List.of(PhaseSpec.of("read", Operation.GET)),
                      List.of(LMDB, LMDB.in("python"))))),
          0,
          1);

  @Test
  void aConfigurationAndAPhaseAreFoundAlsoIfTheirNamesHaveColons() {
    assertThatCode(() -> profiles("lmdb: big", "lmdb: big:read")).doesNotThrowAnyException();
  }

  @Test
  void whatCannotBeProfiledIsRefusedBeforehand() {
    assertThatThrownBy(() -> profiles("rocksdb"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("lmdb: big");
    assertThatThrownBy(() -> profiles("lmdb: big:write"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("no phase 'write'; there are read");
    assertThatThrownBy(() -> profiles("lmdb: big (python)"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("py-spy");
  }

  private static void profiles(String... names) {
    ProfileOption option = new ProfileOption();
    CommandLine command = new CommandLine(CommandSpec.create());
    command.getCommandSpec().addMixin("profile", CommandSpec.forAnnotatedObject(option));
    command.parseArgs(
        Stream.of(names).flatMap(each -> Stream.of("--profile", each)).toArray(String[]::new));
    ProfileOption.Profiles ignored = option.of(PLAN);
  }
}
