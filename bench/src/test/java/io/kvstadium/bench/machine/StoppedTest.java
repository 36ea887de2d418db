package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedTest {
  private static Process sleeping() throws IOException {
    return new ProcessBuilder("sleep", "600").start();
  }

  private static boolean isStopped(long process) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(process), "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).startsWith("T");
  }

  private static void awaitStopped(long process, boolean wanted) throws IOException {
    while (isStopped(process) != wanted) {
      Thread.onSpinWait();
    }
  }

  @Test
  void itStandsStillUntilItMayProceed() throws Exception {
    Process child = sleeping();
    try (Stopped stopped = new Stopped(child.pid())) {
      stopped.stop();
      awaitStopped(child.pid(), true);
      stopped.proceed();
      awaitStopped(child.pid(), false);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatIsAlreadyOverIsNobodysBusiness() throws Exception {
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    Process child = sleeping();
    try (Stopped stopped = new Stopped(child.pid())) {
      child.destroyForcibly().waitFor();
      stopped.stop();
      stopped.proceed();
    }
    assertThat(ProcessHandle.current().children()).isSubsetOf(before);
  }

  /** Stops a child and waits. */
  public static final class Parent {
    private Parent() {}

    public static void main(String[] args) throws Exception {
      Process child = sleeping();
      new Stopped(child.pid()).stop();
      awaitStopped(child.pid(), true);
      System.out.println(child.pid());
      System.in.read();
    }
  }

  @Test
  void itDoesNotOutliveAParentThatIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Parent.class.getName()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = parent.inputReader(StandardCharsets.UTF_8)) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();

      parent.destroyForcibly().waitFor();

      assertThat(child.onExit().get(30, TimeUnit.SECONDS).isAlive()).isFalse();
    } finally {
      parent.destroyForcibly();
    }
  }
}
