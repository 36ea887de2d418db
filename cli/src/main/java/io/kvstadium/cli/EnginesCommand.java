package io.kvstadium.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineInfo;
import io.kvstadium.store.spi.OptionSpec;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium engines}: what there is, what it can do, and why something cannot be used. */
@Command(
    name = "engines",
    description = "Lists the engines: version, what each can do, durability, and its options.")
final class EnginesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "As JSON, with all that is known of each engine.")
  private boolean json;

  @Parameters(
      paramLabel = "ENGINE",
      description = "Only these, with their options.",
      arity = "0..*")
  private List<String> names = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  EnginesCommand() {}

  @Override
  public void run() {
    var engines = Installed.engines();
    List<Engine> shown =
        names.isEmpty() ? List.copyOf(engines.all()) : names.stream().map(engines::engine).toList();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(json(shown));
    } else if (names.isEmpty()) {
      table(shown, out);
    } else {
      shown.forEach(engine -> details(engine, out));
    }
    out.flush();
  }

  private static void table(List<Engine> engines, PrintWriter out) {
    out.printf("%-10s %-9s %-26s %s%n", "engine", "version", "durability", "available");
    for (Engine engine : engines) {
      EngineInfo info = engine.info();
      String unavailable = engine.unavailable();
      out.printf(
          "%-10s %-9s %-26s %s%n",
          info.name(),
          info.version(),
          String.join(" ", levels(info)),
          unavailable == null ? "yes" : "no: " + unavailable);
      wrap(
          "           ",
          String.join(", ", info.capabilities().stream().map(Capability::description).toList()),
          out);
    }
    out.println();
    out.println("'stadium engines NAME' lists an engine's options, durability settings and traps.");
  }

  private static void details(Engine engine, PrintWriter out) {
    EngineInfo info = engine.info();
    out.println(info.title() + " " + info.version() + " (" + info.licence() + ")");
    wrap("  ", info.description(), out);
    String unavailable = engine.unavailable();
    if (unavailable != null) {
      wrap("  ", "Not available: " + unavailable, out);
    }
    out.println();
    out.println("Capabilities");
    wrap(
        "  ",
        String.join(", ", info.capabilities().stream().map(Capability::description).toList()),
        out);
    wrap(
        "  ",
        "keys up to "
            + info.limits().maxKeyBytes()
            + " bytes, values up to "
            + info.limits().maxValueBytes()
            + " bytes",
        out);
    out.println();
    out.println("Durability");
    info.durability()
        .forEach((level, mapping) ->
            wrap(
                "  ",
                level.word()
                    + ": "
                    + mapping.settings()
                    + (mapping.effective() == level
                        ? ""
                        : " (gives " + mapping.effective().word() + ")"),
                out));
    out.println();
    out.println(
        "Options, as in "
            + info.name()
            + ":"
            + (info.onDisk() ? "directory" : "")
            + "?name=value&name=value");
    info.options()
        .forEach(option ->
            wrap(
                "  ",
                option.name()
                    + " = "
                    + (option.choices().isEmpty()
                        ? option.type().name().toLowerCase(Locale.ROOT)
                        : String.join("|", option.choices()))
                    + (option.fallback().isEmpty() ? "" : ", default " + option.fallback())
                    + (option.scope() == OptionSpec.Scope.TABLE ? ", per table too" : "")
                    + ": "
                    + option.description(),
                out));
    if (!info.notes().isEmpty()) {
      out.println();
      out.println("Notes");
      info.notes().forEach(note -> wrap("  ", "- " + note, out));
    }
    out.println();
  }

  private static List<String> levels(EngineInfo info) {
    return info.durability().keySet().stream()
        .filter(level -> level != Durability.ENGINE_DEFAULT)
        .map(Durability::word)
        .toList();
  }

  private static String json(List<Engine> engines) {
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
      map.put("licence", info.licence());
      map.put("description", info.description());
      map.put("onDisk", info.onDisk());
      map.put("capabilities", info.capabilities().stream().map(Capability::word).toList());
      map.put("limits", info.limits());
      Map<String, Object> durability = new LinkedHashMap<>();
      info.durability()
          .forEach((level, mapping) ->
              durability.put(
                  level.word(),
                  Map.of("effective", mapping.effective().word(), "settings", mapping.settings())));
      map.put("durability", durability);
      map.put("options", info.options());
      map.put("notes", info.notes());
      list.add(map);
    }
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(list);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("engines are described by plain data", e);
    }
  }

  private static void wrap(String indent, String text, PrintWriter out) {
    Lines.wrap(indent, text).forEach(out::println);
  }
}
