package io.kvstadium.cli.engines;

import io.kvstadium.bench.report.table.Json;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.torture.evidence.Proofs;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium engines}: lists the engines, what they can do, and why some cannot be used. */
@Command(
    name = "engines",
    description = "Lists the engines: version, what each can do, durability, options.")
public final class EnginesCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Option(names = "--json", description = "Prints JSON, with everything known about each engine.")
  private boolean json;

  @Option(
      names = "--language",
      paramLabel = "NAME",
      description = "The engines of java, python, go or rust (default: java).")
  private @Nullable String language;

  @Parameters(
      paramLabel = "ENGINE",
      description = "Only these engines, with their options.",
      arity = "0..*")
  private List<String> names = new ArrayList<>();

  @Override
  public void run() {
    Engines own = installed.engines();
    OtherLanguages others = OtherLanguages.find();
    Engines engines =
        others == null || language == null || language.equals("java")
            ? own
            : others.engines(language);
    boolean java = engines == own;
    Function<String, @Nullable String> doubts = java ? installed.verified()::whyNot : _ -> null;
    PrintWriter text = spec.commandLine().getOut();
    if (json) {
      text.println(json(shown(engines), doubts));
    } else if (names.isEmpty()) {
      EngineText.list(engines, doubts, java ? others(engines, others) : Map.of(), text);
    } else {
      shown(engines).forEach(engine -> EngineText.details(engine, doubts, text));
    }
    text.flush();
  }

  private static Map<String, Map<String, String>> others(
      Engines engines, @Nullable OtherLanguages languages) {
    Map<String, Map<String, String>> others = new LinkedHashMap<>();
    others.put("Not installed:", KnownEngines.missing(engines.names()));
    Map<String, String> names = new TreeMap<>();
    if (languages != null) {
      languages.known().forEach((name, all) -> names.put(name, String.join(", ", all)));
    }
    others.put("In other languages, with --language, as in bench:", names);
    return others;
  }

  private List<Engine> shown(Engines engines) {
    return names.isEmpty()
        ? List.copyOf(engines.all())
        : names.stream().map(engines::engine).toList();
  }

  private static String json(List<Engine> engines, Function<String, @Nullable String> doubts) {
    List<Map<String, Object>> list = new ArrayList<>();
    for (Engine engine : engines) {
      EngineInfo info = engine.info();
      String unavailable = engine.unavailable();
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("name", info.name());
      map.put("title", info.title());
      map.put("version", info.version());
      map.put("available", unavailable == null);
      map.put("unavailable", unavailable == null ? "" : unavailable);
      map.put("verified", doubts.apply(info.name()) == null);
      map.put("licence", info.licence());
      map.put("description", info.description());
      map.put("upstream", info.upstream());
      map.put("legacy", info.legacy());
      map.put("onDisk", info.onDisk());
      map.put("capabilities", info.capabilities().stream().map(Capability::word).toList());
      map.put("limits", info.limits());
      Map<String, Object> durability = new LinkedHashMap<>();
      info.durability()
          .forEach((level, mapping) ->
              durability.put(
                  level.word(),
                  Map.of(
                      "effective", mapping.effective().word(),
                      "settings", mapping.settings(),
                      "kill", mapping.kill().words(),
                      "cut", mapping.cut().words(),
                      "evidence", Proofs.committed().words(info, mapping))));
      map.put("durability", durability);
      map.put("options", info.options());
      map.put("notes", info.notes());
      list.add(map);
    }
    return Json.text(list);
  }
}
