package io.kvstadium.torture.child;

import io.kvstadium.store.Engines;
import io.kvstadium.torture.check.Checker;
import io.kvstadium.torture.check.Guarantee;
import io.kvstadium.torture.check.Plan;
import io.kvstadium.torture.check.Sessions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments for a child process: names and texts, as arguments of its command. */
public record WorkerArguments(Map<String, String> all) {
  /** System property: folders of engines, separated as in a class path; unset: the class path. */
  private static final String ENGINES = "stadium.engines";

  public WorkerArguments() {
    this(new LinkedHashMap<>());
  }

  public static WorkerArguments of(String[] args) {
    WorkerArguments arguments = new WorkerArguments();
    for (String argument : args) {
      int equals = argument.indexOf('=');
      arguments.with(argument.substring(0, equals), argument.substring(equals + 1));
    }
    return arguments;
  }

  public WorkerArguments with(String name, Object value) {
    all.put(name, value.toString());
    return this;
  }

  public String get(String name) {
    @Nullable String value = all.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the arguments lack " + name + ": " + all);
    }
    return value;
  }

  public List<String> arguments() {
    return all.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
  }

  Sessions sessions() {
    return Sessions.parse(get("sessions"));
  }

  /** Knows what must be there. */
  Checker checker(Plan plan) {
    return new Checker(
        plan,
        Guarantee.valueOf(get("guarantee")),
        Sessions.counts(get("acknowledged")),
        Sessions.counts(get("begun")),
        Sessions.counts(get("synced")));
  }

  /** The engines that this process was given. */
  static Engines engines() {
    String folders = System.getProperty(ENGINES);
    return folders == null
        ? Engines.installed()
        : Engines.inFolders(
            Arrays.stream(folders.split(File.pathSeparator, -1)).map(Path::of).toList());
  }

  /** Ends this process when its parent, which holds the other end of standard input, is gone. */
  static void endWithParent() {
    Thread.ofPlatform()
        .daemon()
        .name("parent")
        .start(() -> {
          try {
            while (System.in.read() >= 0) {
              // nothing is sent there
            }
          } catch (IOException e) {
            // as good as the end
          }
          Runtime.getRuntime().halt(1);
        });
  }
}
