package io.kvstadium.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The test of the tests: the conformance tests must fail engines that are wrong. */
class JudgeTest {
  private final Properties before = (Properties) System.getProperties().clone();

  /**
   * The tests are judged with the effort that outsiders run them with, and from one seed: thirty
   * random sequences meet some faults from most seeds, but not from all.
   */
  @BeforeEach
  void setEffort() {
    System.setProperty("stadium.multiplier", "1");
    System.setProperty("stadium.seed", "1");
  }

  @AfterEach
  void restoreProperties() {
    System.setProperties(before);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyFaultIsConvictedByTheTestsThatAreAboutIt(Fault fault) {
    for (String test : fault.convictedBy()) {
      System.setProperty(FaultyConformance.FAULT, fault.word());

      Events events = run(test);

      assertThat(events.failed().count()).as("failures of %s with %s", test, fault).isPositive();
    }
  }

  private static Events run(String... tests) {
    List<String> names = List.of(tests);
    PostDiscoveryFilter filter = descriptor -> FilterResult.includedIf(isWanted(descriptor, names));
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(FaultyConformance.class))
        .filters(filter)
        .execute()
        .testEvents();
  }

  @Test
  void aFailureIsASentenceThatSaysHowToRepeatIt() {
    System.setProperty(FaultyConformance.FAULT, Fault.BUFFERS_WHAT_IT_ACKNOWLEDGED.word());

    List<String> said = messages(run("nothingAcknowledgedIsLostToAKill"));

    assertThat(said)
        .isNotEmpty()
        .allSatisfy(message ->
            assertThat(message)
                .startsWith("broken: 'nothing acknowledged is lost to a kill'")
                .containsPattern("again with -Dstadium\\.seed=-?\\d+")
                .contains("[-Dtest='FaultyConformance#nothingAcknowledgedIsLostToAKill*']"));
  }

  @Test
  void aRandomFailureIsShortAndCanBeRepeated() {
    System.setProperty(FaultyConformance.FAULT, Fault.SIGNED_ORDER.word());

    String first = messages(run("storeBehavesLikeSortedMaps")).getFirst();
    System.setProperty("stadium.seed", first.replaceFirst("(?s).*stadium\\.seed=(-?\\d+).*", "$1"));
    String again = messages(run("storeBehavesLikeSortedMaps")).getFirst();

    assertThat(operations(again)).isEqualTo(operations(first));
    assertThat(first.split("Put\\[", -1)).as(first).hasSizeLessThan(6);
  }

  /** What was done, without the values, which are others if two threads were at work. */
  private static String operations(String message) {
    return message.replaceFirst("(?s)\\]: .*", "]");
  }

  private static List<String> messages(Events events) {
    return events.failed().stream()
        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
        .map(result -> String.valueOf(result.getThrowable().orElseThrow().getMessage()))
        .toList();
  }

  private static boolean isWanted(TestDescriptor descriptor, List<String> names) {
    return descriptor
        .getSource()
        .map(source ->
            !(source instanceof MethodSource method) || names.contains(method.getMethodName()))
        .orElse(true);
  }
}
