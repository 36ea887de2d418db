package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The caveats of a report's figures, in short. */
final class Caveats {
  /** Of longer lists, only this many are named. */
  private static final int NAMED = 3;

  private static final int WARNINGS = 2;
  private static final int REMARK = 130;

  private Caveats() {}

  /**
   * Returns the caveats.
   *
   * @param page whether they are for a page, which has the details below and the warnings in full
   */
  static List<Block.Term> of(Report report, boolean page) {
    String details = page ? "the details say" : "--details says";
    List<Block.Term> remarks = new ArrayList<>();
    Set<String> broken = new LinkedHashSet<>();
    Set<String> skipped = new LinkedHashSet<>();
    for (ExperimentReport section : report.sections()) {
      for (ConfigurationResult each : section.experiment().configurations()) {
        if (each.skipped() != null) {
          skipped.add(each.name());
        } else if ("broken".equals(each.evidenceWord())) {
          broken.add(each.name() + " " + each.effective() + ", " + each.evidence());
        }
      }
    }
    if (!broken.isEmpty()) {
      remarks.add(new Block.Term("Torture broke a promise", String.join("; ", broken)));
    }
    Map<String, Integer> marks = new TreeMap<>();
    report.sections().stream()
        .flatMap(section -> section.groups().stream())
        .flatMap(group -> group.rankings().stream())
        .flatMap(ranking -> ranking.standings().stream())
        .flatMap(own -> own.warnings().stream())
        .forEach(each -> marks.merge(each.word(), 1, Integer::sum));
    if (!marks.isEmpty()) {
      String all =
          marks.entrySet().stream()
              .map(each -> each.getKey() + " " + each.getValue())
              .collect(Collectors.joining(", "));
      remarks.add(new Block.Term("Figures to take with care", all + " (" + details + " which)"));
    }
    if (!skipped.isEmpty()) {
      remarks.add(new Block.Term("Not measured (" + details + " why)", String.join(", ", skipped)));
    }
    Map<String, List<String>> behind = new LinkedHashMap<>();
    Map<String, List<String>> absent = new LinkedHashMap<>();
    report.sections().stream()
        .flatMap(section -> section.absences().stream())
        .filter(each -> !skipped.contains(each.configuration()))
        .forEach(each -> {
          List<String> names =
              (each.what().equals("far behind") ? behind : absent)
                  .computeIfAbsent(each.reason(), _ -> new ArrayList<>());
          if (!names.contains(each.configuration())) {
            names.add(each.configuration());
          }
        });
    behind.forEach((how, names) ->
        remarks.add(new Block.Term("Far behind", String.join(", ", names) + ": " + how)));
    absent.entrySet().stream()
        .limit(NAMED)
        .forEach(each ->
            remarks.add(
                new Block.Term(
                    "Failed", String.join(", ", each.getValue()) + ": " + cut(each.getKey()))));
    List<String> warnings =
        report.results().findings().stream()
            .filter(each -> each.level() == Finding.Level.WARNING)
            .map(Finding::message)
            .distinct()
            .toList();
    if (page) {
      return remarks;
    }
    warnings.stream()
        .limit(WARNINGS)
        .forEach(each -> remarks.add(new Block.Term("Warning", cut(each))));
    int more = Math.max(0, warnings.size() - WARNINGS) + Math.max(0, absent.size() - NAMED);
    if (more > 0) {
      remarks.add(new Block.Term("", "and " + more + " more: --details"));
    }
    return remarks;
  }

  /** Cuts a long text between words, and not within brackets. */
  static String cut(String text) {
    if (text.length() <= REMARK) {
      return text;
    }
    int space = text.lastIndexOf(' ', REMARK);
    String begun = text.substring(0, space > 0 ? space : REMARK);
    int bracket = begun.lastIndexOf('(');
    boolean within = bracket > 0 && begun.indexOf(')', bracket) < 0;
    return (within ? begun.substring(0, bracket) : begun).replaceFirst("[\\s,;:]+$", "") + " …";
  }
}
