package io.kvstadium.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The judge is judged: the conformance kit must convict engines that are wrong. */
class JudgeTest {
  @TempDir Path directory;

  @AfterEach
  void forgetFault() {
    System.clearProperty(FaultyConformance.FAULT);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyFaultIsConvictedByTheTestsThatAreAboutIt(Fault fault) {
    for (String test : fault.convictedBy()) {
      System.setProperty(FaultyConformance.FAULT, fault.word());

      Events events = run("junit-jupiter", test);

      assertThat(events.failed().count()).as("failures of %s with %s", test, fault).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "SIGNED_ORDER",
        "IGNORES_EXCLUSIVE_BOUNDS",
        "REVERSES_BATCHES",
        "LIVE_SNAPSHOT",
        "BLIND_TO_OWN_WRITES"
      })
  void randomOperationsConvictToo(Fault fault) {
    System.setProperty(FaultyConformance.FAULT, fault.word());

    Events events = run("jqwik", "storeBehavesLikeSortedMaps");

    assertThat(events.failed().count()).as("failures with %s", fault).isOne();
  }

  @Test
  void withoutAFaultTheSameTestsPass() {
    List<String> tests =
        List.of(Fault.values()).stream().flatMap(fault -> fault.convictedBy().stream()).toList();

    Events events = run("junit-jupiter", tests.toArray(String[]::new));
    Events random = run("jqwik", "storeBehavesLikeSortedMaps");

    assertThat(events.failed().count()).isZero();
    assertThat(events.succeeded().count())
        .isGreaterThanOrEqualTo(tests.stream().distinct().count());
    assertThat(random.succeeded().count()).isOne();
  }

  private Events run(String engine, String... tests) {
    List<String> names = List.of(tests);
    PostDiscoveryFilter filter = descriptor -> FilterResult.includedIf(isWanted(descriptor, names));
    return EngineTestKit.engine(engine)
        .selectors(selectClass(FaultyConformance.class))
        .filters(filter)
        .configurationParameter("jqwik.database", directory.resolve("database").toString())
        // a conviction is enough; jqwik cuts long shrinking off in the middle of a try
        .configurationParameter("jqwik.shrinking.default", "OFF")
        .execute()
        .testEvents();
  }

  private static boolean isWanted(TestDescriptor descriptor, List<String> names) {
    return descriptor
        .getSource()
        .map(source ->
            !(source instanceof MethodSource method) || names.contains(method.getMethodName()))
        .orElse(true);
  }
}
