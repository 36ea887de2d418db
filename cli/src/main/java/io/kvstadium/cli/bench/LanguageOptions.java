package io.kvstadium.cli.bench;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.worker.Languages;
import io.kvstadium.bench.worker.PythonSetup;
import io.kvstadium.bench.worker.WorkerProgram;
import io.kvstadium.cli.io.ValueList;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.internal.Nearest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The languages that trials run in. */
final class LanguageOptions {
  private static final String PYTHON = "python";
  private static final List<String> KNOWN = List.of(Configuration.JAVA, PYTHON);

  @Option(
      names = "--language",
      paramLabel = "NAME,…",
      description =
          "The language of the trials: java, python, or both, as java,python (default: java).")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--python",
      paramLabel = "PATH",
      description =
          "With --language python: an interpreter, or the folder of an environment, that has the"
              + " bindings (default: python3).")
  private @Nullable Path python;

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  LanguageOptions() {}

  /** The languages that were asked for. */
  Languages languages(Engines java) {
    List<String> asked = ValueList.of("--language", names).stream().distinct().toList();
    for (String name : asked) {
      if (!KNOWN.contains(name)) {
        throw new BadArgumentException(
            "--language "
                + name
                + ": trials cannot run in that"
                + Nearest.hint(name, KNOWN)
                + "; give one of "
                + String.join(", ", KNOWN));
      }
    }
    if (python != null && !asked.contains(PYTHON)) {
      throw new BadArgumentException("--python is for trials in Python: add --language python");
    }
    return of(java, asked.isEmpty() ? List.of(Configuration.JAVA) : asked);
  }

  /** The languages of a run that is resumed. */
  Languages languages(Engines java, List<String> before) {
    return of(java, before);
  }

  private Languages of(Engines java, List<String> asked) {
    List<WorkerProgram> workers =
        asked.contains(PYTHON)
            ? List.of(new PythonSetup(PythonSetup.cache(System.getenv())).worker(python))
            : List.of();
    return new Languages(java, asked, workers);
  }
}
