package io.kvstadium.bench.run;

import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Suite;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A suite made ready for this machine.
 *
 * @param suite with its configurations spelled out and every phase measured
 * @param warmUpSeconds of each trial
 * @param skipped configurations that cannot run, by name, with the reason; they are not in the
 *     suite
 * @param left the skipped configurations themselves with the reason, by the experiment's name
 * @param findings what is to be said of the user's own data, and of configurations that do not run
 *     as the suite says
 * @param seconds a rough estimate of how long it will take
 */
public record Plan(
    Suite suite,
    double warmUpSeconds,
    Map<String, String> skipped,
    Map<String, Map<Configuration, String>> left,
    List<Finding> findings,
    double seconds) {
  /** With more to say. */
  public Plan with(List<Finding> more) {
    List<Finding> all = Stream.concat(findings.stream(), more.stream()).toList();
    return new Plan(suite, warmUpSeconds, skipped, left, all, seconds);
  }
}
