package io.kvstadium.conformance;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The process of {@code stadium check}: runs the conformance tests on the engine that the system
 * properties {@code stadium.check.engine}, {@code .options} and {@code .interrupts} name, which is
 * on the class path. Ends with 0 if it passes, with 1 if it does not, with 2 if there is no such
 * test.
 */
public final class Check {
  private static final int FAILED = 1;
  private static final int NO_TEST = 2;

  private Check() {}

  /**
   * Runs it.
   *
   * @param args the tests to run, as names with {@code *}; the command that runs them again; and
   *     {@code stacks} to print failures with their stack traces
   */
  public static void main(String[] args) {
    // The library reports lost handles, and the tests lose many on purpose.
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      Logger.getLogger("").removeHandler(handler);
    }
    long seed = Seed.get();
    System.setProperty(Seed.PROPERTY, Long.toString(seed));
    System.exit(run(args[0], args[1], seed, List.of(args).contains("stacks")));
  }

  private static int run(String tests, String command, long seed, boolean stacks) {
    Launcher launcher = LauncherFactory.create();
    TestPlan plan = launcher.discover(request(tests));
    long methods = plan.countTestIdentifiers(CheckListener::isMethod);
    if (methods == 0) {
      System.err.println(
          "stadium: no conformance test is called '"
              + tests
              + "': give a name such as noSnapshotSeesHalfABatch, or a part of one, as '*batch*'");
      return NO_TEST;
    }
    CheckListener listener = new CheckListener(methods);
    launcher.execute(plan, listener);
    listener.print(command, seed, stacks);
    return listener.passed() ? 0 : FAILED;
  }

  private static LauncherDiscoveryRequest request(String tests) {
    Pattern wanted =
        Pattern.compile(
            Arrays.stream(tests.split("\\*", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*")),
            Pattern.CASE_INSENSITIVE);
    PostDiscoveryFilter filter =
        descriptor -> FilterResult.includedIf(isWanted(descriptor, wanted));
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectClass(InstalledConformance.class))
        .filters(filter)
        .build();
  }

  private static boolean isWanted(TestDescriptor descriptor, Pattern wanted) {
    return descriptor
        .getSource()
        .map(source ->
            !(source instanceof MethodSource method)
                || wanted.matcher(method.getMethodName()).matches())
        .orElse(true);
  }
}
