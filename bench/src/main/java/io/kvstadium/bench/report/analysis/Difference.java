package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A circumstance that was not the same in a later run.
 *
 * @param what as {@code cores}
 */
public record Difference(Kind kind, String what, String before, String after) {
  /** What a difference is about. */
  public enum Kind {
    /** The machine, so that the figures say nothing about a change of anything else. */
    MACHINE,
    /** What was done, so that the figures do not mean the same. */
    WORKLOAD,
    /** What a change may be about: versions, options, settings. */
    SUBJECT,
    /** Of the run itself. */
    RUN
  }

  /** All differences, those of the machine first. */
  public static List<Difference> between(NamedRun earlier, NamedRun later) {
    Found found = new Found(new ArrayList<>());
    Results before = earlier.results();
    Results after = later.results();
    found.machine(before.machine(), after.machine());
    found.differ(Kind.SUBJECT, "Stadium", before.stadium(), after.stadium());
    found.differ(Kind.RUN, "seed", before.seed(), after.seed());
    found.differ(Kind.RUN, "complete run", before.complete(), after.complete());
    found.differ(
        Kind.SUBJECT,
        "heap",
        Units.bytes(before.request().suite().heap()),
        Units.bytes(after.request().suite().heap()));
    for (ExperimentResult own : before.experiments()) {
      ExperimentResult now = later.experiment(own.name());
      if (now != null) {
        found.experiment(own, now);
      }
    }
    return found.list;
  }

  @Override
  public String toString() {
    return what + ": " + before + " → " + after;
  }

  private record Found(List<Difference> list) {
    void differ(Kind kind, String what, Object old, Object now) {
      if (!Objects.equals(old, now)) {
        list.add(new Difference(kind, what, String.valueOf(old), String.valueOf(now)));
      }
    }

    void machine(Machine old, Machine now) {
      differ(Kind.MACHINE, "processor", old.cpu(), now.cpu());
      differ(Kind.MACHINE, "cores", old.cores(), now.cores());
      differ(
          Kind.MACHINE, "memory", Units.bytes(old.memoryBytes()), Units.bytes(now.memoryBytes()));
      differ(Kind.MACHINE, "file system", old.fileSystem(), now.fileSystem());
      differ(Kind.SUBJECT, "device", old.device(), now.device());
      differ(Kind.SUBJECT, "system", old.system(), now.system());
      differ(Kind.SUBJECT, "Java", old.java(), now.java());
    }

    void experiment(ExperimentResult own, ExperimentResult now) {
      differ(Kind.WORKLOAD, own.name() + ": data", own.shape(), now.shape());
      differ(Kind.MACHINE, own.name() + ": memory limit", limit(own), limit(now));
      for (PhaseSpec phase : own.plan().allPhases()) {
        now.plan().allPhases().stream()
            .filter(same -> same.name().equals(phase.name()))
            .forEach(same -> phase(own.name() + ", " + phase.name() + ": ", phase, same));
      }
      for (ConfigurationResult each : own.configurations()) {
        now.configurations().stream()
            .filter(same -> same.name().equals(each.name()))
            .forEach(same -> settings(own.name() + ", " + each.name() + ": ", each, same));
      }
    }

    private void phase(String at, PhaseSpec old, PhaseSpec now) {
      differ(Kind.WORKLOAD, at + "operation", old.operation(), now.operation());
      differ(Kind.WORKLOAD, at + "operations", old.operations(), now.operations());
      differ(Kind.WORKLOAD, at + "seconds", old.seconds(), now.seconds());
      differ(Kind.WORKLOAD, at + "threads", old.threads(), now.threads());
      differ(Kind.WORKLOAD, at + "shape", old.shape(), now.shape());
      differ(Kind.WORKLOAD, at + "distribution", old.distribution(), now.distribution());
      differ(Kind.WORKLOAD, at + "cold", old.cold(), now.cold());
    }

    private void settings(String at, ConfigurationResult old, ConfigurationResult now) {
      differ(Kind.SUBJECT, at + "engine", old.plan().engine(), now.plan().engine());
      differ(Kind.SUBJECT, at + "version", old.version(), now.version());
      differ(Kind.SUBJECT, at + "opened", old.plan().url("…"), now.plan().url("…"));
      differ(Kind.SUBJECT, at + "reopened", old.plan().reopen(), now.plan().reopen());
      differ(Kind.SUBJECT, at + "language", old.plan().language(), now.plan().language());
      differ(Kind.SUBJECT, at + "jvm", old.plan().jvm(), now.plan().jvm());
      differ(Kind.SUBJECT, at + "access", old.plan().access().word(), now.plan().access().word());
      differ(
          Kind.SUBJECT, at + "durability in force", old.effective().word(), now.effective().word());
      differ(Kind.SUBJECT, at + "settings", old.settings(), now.settings());
    }

    private static String limit(ExperimentResult experiment) {
      return experiment.plan().memory() == 0 ? "none" : Units.bytes(experiment.plan().memory());
    }
  }
}
