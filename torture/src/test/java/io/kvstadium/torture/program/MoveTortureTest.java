package io.kvstadium.torture.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Needs;
import io.kvstadium.testsupport.Randomness;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.fault.FaultInjectors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program whose store moves over and back gets faults, in each state of the move. */
class MoveTortureTest {
  private static final ProgramTorture.Listener NOBODY =
      new ProgramTorture.Listener() {
        @Override
        public void begins(Fault fault) {}

        @Override
        public void ended(ProgramRound round) {}
      };

  @ParameterizedTest(name = "{0} to {1} at {2}, {3}")
  @CsvSource({"sqlite, rocksdb, process, KILL"})
  void holds(String engine, String other, String level, Fault fault) throws Exception {
    holds(engine, other, level, fault, 6);
  }

  @Tag("full")
  @ParameterizedTest(name = "{0} to {1} at {2}, {3}")
  @CsvSource({
    "sqlite, rocksdb, process, KILL",
    "sqlite, rocksdb, consistent, KILL",
    "sqlite, rocksdb, consistent, POWER",
    "sqlite, rocksdb, power, KILL",
    "sqlite, rocksdb, power, POWER",
    "rocksdb, lmdb, process, KILL",
    "rocksdb, lmdb, consistent, KILL",
    "rocksdb, lmdb, consistent, POWER",
    "rocksdb, lmdb, power, KILL",
    "rocksdb, lmdb, power, POWER",
    "lmdb, sqlite, process, KILL",
    "lmdb, sqlite, consistent, KILL",
    "lmdb, sqlite, consistent, POWER",
    "lmdb, sqlite, power, KILL",
    "lmdb, sqlite, power, POWER"
  })
  void holdsForLong(String engine, String other, String level, Fault fault) throws Exception {
    holds(engine, other, level, fault, Integer.getInteger("stadium.moves", 100));
  }

  private static void holds(String engine, String other, String level, Fault fault, int rounds)
      throws Exception {
    Needs.none(FaultInjectors.unavailable(fault));
    String java =
        "%s -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp '%s' "
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"));
    String urls =
        " {dir} '%s:old?durability=%s&move_rate=300k' '%s:new'".formatted(engine, level, other);
    boolean mayLose = fault == Fault.POWER && level.equals("consistent");
    ProgramSettings settings =
        new ProgramSettings(
            java + MovedProgram.class.getName() + urls,
            java + MovedCheck.class.getName() + urls + " " + mayLose,
            List.of(fault),
            null,
            rounds,
            Duration.ofMillis(1_500),
            Duration.ofSeconds(60),
            Randomness.seed(engine + other + level),
            false,
            2);

    ProgramResult result = new ProgramTorture(settings, NOBODY).run(null, null).getFirst();

    assertThat(result.broken()).isEmpty();
    assertThat(result.rounds()).hasSize(rounds);
    assertThat(result.acknowledged()).isPositive();
  }
}
