package io.kvstadium.bench.run;

import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.store.record.RecorderProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What trials inherit from the shell: not what would change their speed behind the user's back,
 * such as options of virtual machines, other allocators and preloaded libraries.
 */
final class TrialEnvironment {
  /** Java, then the dynamic linker, allocators, Python and Go. */
  private static final Set<String> NAMES =
      Set.of(
          "JAVA_TOOL_OPTIONS",
          "_JAVA_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "LD_PRELOAD",
          "LD_AUDIT",
          "LD_BIND_NOW",
          "DYLD_INSERT_LIBRARIES",
          "GLIBC_TUNABLES",
          "PYTHONMALLOC",
          "PYTHONDEVMODE",
          "PYTHONTRACEMALLOC",
          "GOGC",
          "GOMEMLIMIT",
          "GOMAXPROCS",
          "GODEBUG");

  private static final Pattern ALLOCATORS =
      Pattern.compile("Malloc.*|(_RJEM_)?MALLOC_.*|TCMALLOC_.*|MIMALLOC_.*");

  private TrialEnvironment() {}

  /** Removes it from the environment of a process that is to be started. */
  static void clean(Map<String, String> environment) {
    environment.keySet().removeIf(TrialEnvironment::distorts);
    RecorderProvider.removeFrom(environment); // the application's stores are meant, not ours
  }

  /** Says what of an environment trials run without; {@code --strict} refuses it. */
  static List<Finding> findings(Map<String, String> environment) {
    List<String> names =
        environment.keySet().stream().filter(TrialEnvironment::distorts).sorted().toList();
    return names.isEmpty()
        ? List.of()
        : List.of(
            new Finding(
                Level.WARNING,
                "environment",
                "trials run without what the shell sets for all programs: "
                    + String.join(", ", names)
                    + "; unset it, or take figures as those of programs without it"));
  }

  private static boolean distorts(String name) {
    return NAMES.contains(name) || ALLOCATORS.matcher(name).matches();
  }
}
