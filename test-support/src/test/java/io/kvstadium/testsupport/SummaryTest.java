package io.kvstadium.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
  private static final String PASSED = "<testcase name='p' classname='a.B'/>";
  private static final String SKIPPED =
      "<testcase name='n' classname='a.B'><skipped><![CDATA["
          + "org.opentest4j.TestAbortedException: Assumption failed: %s\n\tat a.B]]></skipped></testcase>";
  private static final String FAILED =
      "<testcase name='f' classname='a.B'><failure message='no'>at</failure></testcase>";

  @TempDir private Path root;

  @BeforeEach
  void layOut() throws IOException {
    Files.createDirectories(root.resolve("testing"));
    Files.createDirectories(root.resolve("engines/x/target/surefire-reports"));
    Files.writeString(root.resolve("testing/floors"), "# floors\nengines/x usual 2\n");
    Files.writeString(root.resolve("testing/may-be-missing"), "# why\nan odd jar\n");
  }

  private boolean passes(boolean strict, String... tests) throws IOException {
    Files.writeString(
        root.resolve("engines/x/target/surefire-reports/TEST-a.B.xml"),
        "<testsuite>" + String.join("", tests) + "</testsuite>");
    return Summary.run(root, "usual", strict, new PrintStream(said, true));
  }

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @Test
  void enoughTestsThatPassAreEnough() throws IOException {
    assertThat(passes(true, PASSED, PASSED)).isTrue();
  }

  @Test
  void aModuleThatRunsTooFewIsNamed() throws IOException {
    assertThat(passes(false, PASSED)).isFalse();
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("engines/x");
  }

  @Test
  void aModuleThatRunsNoneIsNamed() throws IOException {
    assertThat(passes(false)).isFalse();
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("engines/x");
  }

  @Test
  void aFailureIsNamed() throws IOException {
    assertThat(passes(false, PASSED, PASSED, FAILED)).isFalse();
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("B#f");
  }

  @Test
  void whatIsMissingIsListedAndAnErrorOnlyWhereNothingMayBe() throws IOException {
    String missing = SKIPPED.formatted("needs a tool (Debian: tool)");
    String allowed = SKIPPED.formatted("needs: an odd jar, which nobody has");
    String inapplicable = SKIPPED.formatted("does not declare batches");

    assertThat(passes(false, PASSED, missing)).isTrue();
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("a tool (Debian: tool): 1");
    assertThat(passes(true, PASSED, missing)).isFalse();
    assertThat(passes(true, PASSED, allowed, inapplicable)).isTrue();
  }
}
