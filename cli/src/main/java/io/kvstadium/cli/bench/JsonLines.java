package io.kvstadium.cli.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.run.Schedule;
import io.kvstadium.bench.text.Finding;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells a program how far a run is: a JSON object in each line of standard error. */
final class JsonLines implements Live {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final double NANOS = 1e9;

  private final PrintStream out;
  private final long began = System.nanoTime();
  private String last = "";
  private boolean closed;

  JsonLines(PrintStream out) {
    this.out = out;
  }

  private void say(String event, @Nullable Object... facts) {
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("event", event);
    line.put("elapsedSeconds", Math.round((System.nanoTime() - began) / NANOS * 1e3) / 1e3);
    for (int i = 0; i < facts.length; i += 2) {
      line.put((String) facts[i], facts[i + 1]);
    }
    try {
      out.println(MAPPER.writeValueAsString(line));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not plain data: " + line, e);
    }
  }

  /** Seconds that are left, or nothing before the first trial has ended. */
  private static @Nullable Double left(double seconds) {
    return seconds < 0 ? null : seconds;
  }

  @Override
  public void begin(Plan plan, int before) {
    say(
        "begin",
        "suite",
        plan.suite().name(),
        "configurations",
        plan.entrants().stream().map(each -> each.configuration().name()).toList(),
        "rounds",
        plan.hasBudget() ? 0 : plan.rounds(),
        "budgetSeconds",
        plan.suite().budget(),
        "trialsDone",
        before);
    plan.findings().forEach(this::found);
  }

  @Override
  public void begins(String part) {
    say("part", "name", part);
  }

  @Override
  public void noted(String text) {
    say("note", "message", text);
  }

  @Override
  public void warned(Finding warning) {
    found(warning);
  }

  private void found(Finding finding) {
    boolean warns = finding.level() == Finding.Level.WARNING;
    say(warns ? "warning" : "note", "subject", finding.subject(), "message", finding.message());
  }

  @Override
  public void preparing(String what, String detail, double done, double secondsLeft) {
    if (!what.equals(last)) {
      last = what;
      say("preparing", "what", what);
    }
  }

  @Override
  public void progress(
      String configuration, int number, String phase, double done, double secondsLeft) {
    String now = configuration + ", " + number + ", " + phase;
    if (!now.equals(last)) {
      last = now;
      say(
          "phase",
          "configuration",
          configuration,
          "trial",
          number,
          "phase",
          phase,
          "done",
          done,
          "secondsLeft",
          left(secondsLeft));
    }
  }

  @Override
  public void trialEnded(Results results) {
    say(
        "trials",
        "ended",
        results.experiments().stream()
            .flatMap(each -> each.configurations().stream())
            .map(ConfigurationResult::trials)
            .mapToInt(List::size)
            .sum());
  }

  @Override
  public void roundEnded(Schedule.Round round, double secondsLeft) {
    say(
        "round",
        "number",
        round.number(),
        "noMoreTrialsOf",
        round.left(),
        "secondsLeft",
        left(secondsLeft));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      say("end");
    }
  }
}
