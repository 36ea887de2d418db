package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.text.Finding.Level;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialEnvironmentTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "LD_PRELOAD", "GLIBC_TUNABLES",
        "MALLOC_ARENA_MAX", "MALLOC_CONF", "MallocNanoZone", "PYTHONMALLOC", "GOGC"
      })
  void trialsDoNotInheritWhatChangesTheirSpeed(String name) {
    Map<String, String> environment = new HashMap<>(Map.of(name, "x", "PATH", "/bin"));

    assertThat(TrialEnvironment.findings(environment))
        .singleElement()
        .satisfies(each -> assertThat(each.level()).isEqualTo(Level.WARNING))
        .satisfies(each -> assertThat(each.message()).contains(name));

    TrialEnvironment.clean(environment);
    assertThat(environment).containsOnlyKeys("PATH");
    assertThat(TrialEnvironment.findings(environment)).isEmpty();
  }

  @Test
  void trialsAreNotRecorded() {
    Map<String, String> environment =
        new HashMap<>(Map.of("STADIUM_RECORD", "x", "STADIUM_RECORD_KEYS", "y", "HOME", "/"));

    assertThat(TrialEnvironment.findings(environment)).as("no figure is changed").isEmpty();
    TrialEnvironment.clean(environment);
    assertThat(environment).containsOnlyKeys("HOME");
  }
}
