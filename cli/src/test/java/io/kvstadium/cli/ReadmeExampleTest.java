package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.Cli.Run;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first thing that anyone copies has to work. */
class ReadmeExampleTest {
  private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path directory;

  @Test
  void theFirstExampleInJavaRuns() throws IOException {
    Matcher block = BLOCK.matcher(Repository.text(Repository.root().resolve("README.md")));
    assertThat(block.find()).as("README.md has a block ```java").isTrue();
    Javac.compile("Example.java", program(block.group(1)), directory);

    Cli example =
        new Cli(directory)
            .withClassPath(directory + File.pathSeparator + System.getProperty("java.class.path"))
            .withMain("Example");
    Run first = example.run();
    Run second = example.run();

    assertThat(first.err()).isEmpty();
    assertThat(first.exit()).isZero();
    assertThat(first.out()).isEqualToIgnoringNewLines("page:home 1");
    assertThat(second.out().lines()).as("what was stored is there").contains("page:home 2");
  }

  /** A block is imports and then statements. */
  private static String program(String block) {
    String imports =
        block.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    String statements =
        block.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
    return imports
        + "\nclass Example {\n  public static void main(String[] args) throws Exception {\n"
        + statements
        + "\n  }\n}\n";
  }
}
