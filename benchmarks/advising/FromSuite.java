import io.kvstadium.bench.player.ValueFile;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.SuiteFile;
import io.kvstadium.bench.measure.PhaseRun;
import io.kvstadium.bench.player.PhaseTrace;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.measure.TrialTotals;
import java.nio.file.Path;

/** Writes a phase of a built-in suite as a trace: suite, phase, records, operations, file. */
final class FromSuite {
  private FromSuite() {}

  public static void main(String[] arguments) throws Exception {
    Experiment experiment = SuiteFile.find(arguments[0]).experiments().getFirst();
    PhaseSpec asked =
        experiment.phases().stream()
            .filter(phase -> phase.name().equals(arguments[1]))
            .findFirst()
            .orElseThrow();
    int operations = Integer.parseInt(arguments[3]);
    PhaseSpec phase = asked.sized(operations, 0);
    Path file = Path.of(arguments[4]);
    Workset workset =
        experiment.data().withRecords(Long.parseLong(arguments[2])).workset(1, operations);
    Population population = new Population(workset.size(), workset.room());
    PhaseRun run = new PhaseRun(phase, workset, population, 1, 1, new TrialTotals(), _ -> {});
    ValueFile values = ValueFile.of(workset, Path.of(file + ".values"));
    try (PhaseTrace trace = new PhaseTrace(run, phase, values)) {
      trace.write(file, operations);
    }
  }
}
