package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.report.HtmlProfile;
import io.kvstadium.bench.report.analysis.Profile;
import io.kvstadium.bench.report.analysis.Profile.Node;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.Plans;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.bench.trial.TrialPlan.Profiling;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {
  private static final long HEAP = 128L << 20;

  @TempDir Path directory;

  @Test
  void aPhaseIsRecordedAndShowsTheStoreWithoutTheBenchmark() throws Exception {
    // given a phase that works for a second, beside another
    TrialPlan plan = Plans.of(directory.resolve("trial"), "memory", Access.SINGLE, Map.of());
    Profiling profiling = new Profiling(List.of("get"), directory.toString());
    TrialPlan profiled =
        new TrialPlan(
            plan.configuration(),
            1,
            1,
            plan.directory(),
            plan.data(),
            null,
            plan.phases().stream()
                .map(each -> each.name().equals("get") ? each.sized(0, 1) : each)
                .toList(),
            0,
            Map.of(),
            false,
            profiling);

    Message.Done done =
        Runners.executor(300).run(profiled, Resources.unlimited(HEAP), message -> {});

    assertThat(done.result().failure()).isNull();
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .containsOnlyOnce("profile-1.jfr")
          .doesNotContain("profile-2.jfr");
    }
    Profile profile = Profile.read(profiling.file("get"));
    assertThat(profile.samples()).isPositive();
    assertThat(profile.hottest()).isNotEmpty().hasSizeLessThanOrEqualTo(10);
    assertThat(names(profile.root()))
        .anyMatch(each -> each.startsWith("io.kvstadium.store.") || each.equals(Profile.HARNESS))
        .noneMatch(each -> each.startsWith("io.kvstadium.bench."));
    assertThat(profile.root().called().stream().mapToLong(Node::samples).sum())
        .isEqualTo(profile.samples());
    assertThat(HtmlProfile.render("memory", "", Map.of("get", profile)))
        .contains("<svg class=\"flames\"")
        .doesNotContain("http://", "https://", "<script src");
  }

  @Test
  void whatIsNoRecordingIsRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("x.jfr"), "no recording");

    assertThatThrownBy(() -> Profile.read(file))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("x.jfr");
  }

  private static Stream<String> names(Node node) {
    return Stream.concat(
        Stream.of(node.name()), node.called().stream().flatMap(ProfileTest::names));
  }
}
