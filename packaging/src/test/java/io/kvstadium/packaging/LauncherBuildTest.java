package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the script that starts the command builds in a checkout, and when. Maven and the JDK note
 * how they are called.
 */
class LauncherBuildTest {
  @TempDir private Path checkout;

  @BeforeEach
  void layOut() throws IOException {
    for (String module : List.of("cli", "kotlin", "conformance", "engines/lmdb")) {
      Files.createDirectories(checkout.resolve(module + "/src/main"));
      Files.createFile(checkout.resolve(module + "/pom.xml"));
    }
    Files.createDirectories(checkout.resolve("packaging"));
    for (String file : List.of("stadium", "packaging/jdk.sh", "packaging/server.toml", "pom.xml")) {
      Files.copy(Checkout.ROOT.resolve(file), checkout.resolve(file));
    }
    script(
        "mvnw",
        """
        printf '%s\\n' "$*" >>builds
        for argument; do
          case $argument in -Dstadium.dist=*) dist=${argument#*=} ;; esac
        done
        mkdir -p "$dist/lib"
        case $* in *engines/lmdb*) mkdir -p "$dist/engines" ;; esac
        cat content >"$dist/lib/a.jar"
        case $* in *conformance*) mkdir -p "$dist/check" ;; esac
        """);
    script(
        "jdk/bin/java",
        """
        case $* in
          *FirstRun*) echo x >>caches; output=${*#*AOTCacheOutput=}; echo cache >"${output%% *}" ;;
          *) echo "runs" ;;
        esac
        """);
    script("jdk/bin/javac", "");
    Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    Files.writeString(checkout.resolve("content"), "1");
  }

  private void script(String name, String text) throws IOException {
    Path file = checkout.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Checkout.Run stadium(String arguments) throws Exception {
    return Checkout.run(
        checkout, List.of("sh", "-c", "STADIUM_JAVA_HOME=$PWD/jdk exec sh stadium " + arguments));
  }

  /** Newer than whatever was built before. */
  private void edit(String file) throws IOException {
    Path path = checkout.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, "edited");
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().plusSeconds(60)));
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(checkout.resolve(file));
  }

  /** And what runs meanwhile, such as a shell, keeps the files that it started from. */
  @Test
  void whatOnlySomeCommandsNeedIsBuiltOnceOneIsCalled() throws Exception {
    stadium("--help");
    stadium("--version");
    stadium("get lmdb:a k");
    stadium("--help");
    stadium("engines");
    stadium("bench --show");
    stadium("serve memory:");
    Checkout.Run last = stadium("get lmdb:a k");
    List<String> builds = lines("builds");

    assertThat(last.exit()).as(last.said()).isZero();
    assertThat(builds).hasSize(3).allMatch(build -> build.contains(" -am "));
    assertThat(builds.get(0)).contains("-Dcore", " -pl cli ");
    assertThat(builds.get(1)).contains("-Dcore", " -pl cli,engines/lmdb ");
    assertThat(builds.get(2)).doesNotContain("-Dcore").contains(" -pl cli,engines/lmdb ");
    assertThat(checkout.resolve("dist.core/lib/a.jar")).exists();
  }

  @Test
  void theConformanceTestsAreBuiltForTheCommandThatRunsThem() throws Exception {
    stadium("--help");

    stadium("check lmdb");
    stadium("check lmdb");
    edit("conformance/src/main/Law.java");
    stadium("--help");

    assertThat(lines("builds")).hasSize(3);
    assertThat(lines("builds").subList(1, 3)).allMatch(build -> build.contains("conformance"));
  }

  @Test
  void onlyWhatIsPartOfTheCommandIsBuiltAgain() throws Exception {
    stadium("bench --show");

    edit("kotlin/src/main/Store.kt");
    edit("conformance/src/main/Law.java");
    stadium("bench --show");
    int afterOthers = lines("builds").size();
    edit("packaging/server.toml");
    stadium("bench --show");
    int afterServer = lines("builds").size();

    assertThat(afterOthers).isEqualTo(1);
    assertThat(afterServer).isEqualTo(2);
    assertThat(checkout.resolve("dist/server.toml")).hasContent("edited");
  }

  @Test
  void theCacheOfClassesIsMadeAgainOnlyForOtherClasses() throws Exception {
    stadium("bench --show");

    edit("engines/lmdb/src/main/Lmdb.java");
    stadium("bench --show");
    List<String> afterEngine = lines("caches");
    Files.writeString(checkout.resolve("content"), "2");
    edit("cli/src/main/Main.java");
    stadium("bench --show");

    assertThat(afterEngine).hasSize(1);
    assertThat(lines("caches")).hasSize(2);
    assertThat(checkout.resolve("dist/lib/a.jar")).hasContent("2");
  }

  @Test
  void aFailedBuildLeavesNothingBehind() throws Exception {
    script("mvnw", "echo '[ERROR] there is no such symbol'\nexit 1\n");

    Checkout.Run run = stadium("--help");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.said()).contains("no such symbol").doesNotContain("runs");
    assertThat(checkout.resolve("dist.core")).doesNotExist();
    assertThat(checkout.resolve("dist.lock")).doesNotExist();
    assertThat(checkout.resolve("dist.new")).doesNotExist();
  }
}
