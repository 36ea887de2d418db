package io.kvstadium.cli;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.io.FirstSentences;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which modules may use which: read from the source files and the poms, so that new modules are
 * covered too.
 */
class ArchitectureTest {
  /** Code that several engines share; not engines themselves. */
  private static final Set<String> SHARED = Set.of("rocksjava", "sql", "h2file");

  /** Of one package, its package-info among them. */
  private static final long MAX_FILES = 26;

  private static final Path ROOT = Repository.root();

  /** What an application touches, which is one thing whatever its size. */
  private static final Path LIBRARY = ROOT.resolve("store/src/main/java/io/kvstadium/store");

  private static final String OURS = "io.kvstadium.";
  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

  /**
   * One of our names in an import or written out in the code, with the first parts of its package.
   */
  private static final Pattern NAME =
      Pattern.compile("\\bio\\.kvstadium\\.([a-z]+)(\\.[a-z0-9]+)?");

  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?([\\w.]+)", Pattern.MULTILINE);

  /** An exported package, and to which modules. */
  private static final Pattern EXPORTS =
      Pattern.compile("\\bexports\\s+([\\w.]+)(?:\\s+to)?([^;]*);");

  private static final Pattern MODULE_NAME =
      Pattern.compile("<module.name>([\\w.]+)</module.name>");

  private static final Pattern PACKAGE =
      Pattern.compile("\\b(io\\.kvstadium(?:\\.[a-z0-9]+)+)\\.[A-Z]");

  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);

  @Test
  void enginesUseTheStoreOnlyAndNotEachOther() {
    List<String> broken = new ArrayList<>();

    for (Path engine : engines()) {
      List<Path> files = sources(engine.resolve("src/main/java"));
      String own = packageOf(files);
      for (Path file : files) {
        String code = code(file);
        Stream.of(NAME.matcher(code).results().map(name -> name.group()).toArray(String[]::new))
            .filter(name -> !name.startsWith(OURS + "store") && !name.equals(own))
            .filter(name -> !SHARED.contains(name.substring(name.lastIndexOf('.') + 1)))
            .forEach(name -> broken.add(where(file) + " uses " + name));
      }
    }

    assertThat(broken).as("an engine may use io.kvstadium.store and nothing else").isEmpty();
  }

  /** As the profile {@code core} of the command's pom does for the launcher's first build. */
  @Test
  @Tag("ci")
  void theHelpAndTheCommandsOnEntriesNeedNoOtherRoom(@TempDir Path folder) throws IOException {
    String rooms =
        "advise|backup|bench|browse|cli|cluster|lua|server|server-rocksserver|torture|trace";
    String libraries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(
                entry -> !entry.matches(".*(/|kv-stadium-)(" + rooms + ")(/target/.*|-[0-9].*)"))
            .collect(joining(File.pathSeparator));
    String sources =
        Stream.of("cli", "bench", "torture")
            .map(room -> ROOT.resolve(room + "/src/main/java").toString())
            .collect(joining(File.pathSeparator));

    Javac.compile(
        ROOT.resolve("cli/src/main/java/io/kvstadium/cli/Main.java"),
        folder,
        "-classpath",
        libraries,
        "-sourcepath",
        sources);

    try (Stream<Path> files = Files.walk(folder.resolve("io/kvstadium"))) {
      assertThat(
              files.map(Path::toString).filter(file -> file.matches(".*(bench|torture)/.*class")))
          .as("classes of other rooms, which are built again with their rooms")
          .hasSizeBetween(10, 60);
    }
  }

  /** The launcher's build is quick, and leaves them out. */
  @Test
  void whatOnlyTestsNeedIsInAProfile() throws IOException {
    Set<String> apart =
        Set.of("examples", "kotlin", "micrometer", "packaging", "spring-boot-starter");
    List<Path> poms;
    try (Stream<Path> found = Files.find(ROOT, 3, (file, _) -> file.endsWith("pom.xml"))) {
      poms =
          found.filter(pom -> !apart.contains(ROOT.relativize(pom).getName(0).toString())).toList();
    }

    assertThat(poms)
        .hasSizeGreaterThan(30)
        .noneMatch(pom ->
            DEPENDENCY
                .matcher(
                    Repository.text(pom)
                        .replaceAll("(?s)<(profiles|dependencyManagement)>.*?</\\1>", ""))
                .results()
                .anyMatch(each -> each.group().contains("<scope>test</scope>")));
  }

  /** The launcher builds the rest for the others only. */
  @Test
  void theLauncherKnowsWhichCommandsNeedMore() {
    String names =
        Stream.of(FirstSentences.class.getFields())
            .map(field -> field.getName().toLowerCase(Locale.ROOT).replace('_', '-'))
            .sorted()
            .collect(joining(" | "));

    assertThat(Repository.text(ROOT.resolve("stadium"))).contains("    " + names + ") ;;\n");
  }

  @Test
  void nobodyNamesAnEngineByItsClass() {
    List<String> broken = new ArrayList<>();

    for (String room :
        List.of(
            "store",
            "conformance",
            "advise",
            "bench",
            "browse",
            "server",
            "server-rocksserver",
            "torture",
            "testing",
            "transfer",
            "backup",
            "trace",
            "cluster",
            "cli")) {
      for (Path file : sources(ROOT.resolve(room).resolve("src"))) {
        IMPORT
            .matcher(code(file))
            .results()
            .map(found -> found.group(1))
            .filter(name -> name.startsWith(OURS + "engine."))
            .forEach(name -> broken.add(where(file) + " imports " + name));
      }
    }

    assertThat(broken).as("engines are found through ServiceLoader, never imported").isEmpty();
  }

  @Test
  void theStoreNeedsNoThirdParty() {
    List<String> broken = new ArrayList<>();

    for (Path file : sources(ROOT.resolve("store/src/main/java"))) {
      IMPORT
          .matcher(code(file))
          .results()
          .map(found -> found.group(1))
          .filter(name ->
              Stream.of("java.", OURS + "store", "org.jspecify.annotations.")
                  .noneMatch(name::startsWith))
          .forEach(name -> broken.add(where(file) + " imports " + name));
    }
    dependencies(ROOT.resolve("store/pom.xml")).stream()
        .filter(dependency -> !dependency.contains("<scope>test</scope>"))
        .forEach(dependency -> broken.add("store/pom.xml depends on " + dependency));

    assertThat(broken).as("the store is the JDK and annotations").isEmpty();
  }

  @ParameterizedTest(name = "the pom of {0} names only: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          store       | store
          conformance | store
          advise      | bench
          bench       | trace transfer store
          server      | lua backup transfer store
          server-rocksserver | server
          torture     | backup trace store
          testing     | torture store
          transfer    | store
          browse      | transfer trace store
          backup      | transfer store
          cluster     | store
          trace       | store
          cli         | advise bench browse server server-rocksserver torture transfer backup trace cluster store
          """)
  void aPomNamesOnlyWhatItsRoomMayUse(String room, String allowed) {
    assertThat(notAllowed(ROOT.resolve(room), Set.of(allowed.split(" ")))).isEmpty();
  }

  /**
   * The packages of a room, from what knows most to what knows least; {@code .} is the room's own.
   * Those that {@code +} joins may use each other: the store's classes that applications touch are
   * words of all its packages, but for two that open stores.
   */
  @ParameterizedTest(name = "inside {0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cli      | . trace bench verify shell serve move browse entries engines io
          bench    | report report.chart report.analysis report.table run plan player trial measure measure.operation measure.source machine result stats suite data data.draw text
          browse   | . place look decode
          torture  | evidence program . fault child check
          store    | Stadium+Engines internal.open internal.move internal.view internal.guard engine.help engine+record .+codec+engine.declare+internal
          transfer | . source redis format
          server   | . http.v1 http session imports command.server scripts command.streams \
                     command.lists command.sortedsets command.sets command.hashes \
                     command.strings command.keys command value notify access client \
                     database figures execute protocol backup log
          """)
  void insideARoomArrowsRunOneWay(String room, String order) {
    List<List<String>> ranks =
        Stream.of(order.split(" +")).map(rank -> List.of(rank.split("\\+"))).toList();
    Path root = ROOT.resolve(room).resolve("src/main/java/io/kvstadium").resolve(room);
    Pattern name =
        Pattern.compile("\\bio\\.kvstadium\\." + room + "((?:\\.[a-z0-9]+)*)\\.([A-Z]\\w*)");
    List<String> broken = new ArrayList<>();

    for (Path file : sources(root)) {
      String inside = root.relativize(file.getParent()).toString().replace('/', '.');
      int own = rank(ranks, inside, file.getFileName().toString().replace(".java", ""));
      name.matcher(code(file))
          .results()
          .filter(found -> rank(ranks, found.group(1), found.group(2)) < own)
          .forEach(found -> broken.add(where(file) + " uses " + found.group()));
    }

    assertThat(broken).as("a package may use those after it: %s", order).isEmpty();
    assertThat(
            sources(root).stream()
                .filter(file -> !file.getParent().equals(LIBRARY))
                .collect(groupingBy(Path::getParent, counting())))
        .as("more is two things")
        .allSatisfy((_, files) -> assertThat(files).isLessThanOrEqualTo(MAX_FILES));
  }

  /** What the compiler holds for modules is held for those on the class path, too. */
  @Test
  void nobodyUsesWhatAModuleDoesNotExport() {
    Map<String, Path> modular = new HashMap<>();
    Map<String, String> exports = new HashMap<>();
    for (Path room : rooms()) {
      Path java = room.resolve("src/main/java");
      if (Files.exists(java.resolve("module-info.java"))) {
        sources(java)
            .forEach(file ->
                modular.put(java.relativize(file.getParent()).toString().replace('/', '.'), room));
        EXPORTS
            .matcher(code(java.resolve("module-info.java")))
            .results()
            .forEach(found -> exports.put(found.group(1), found.group(2).strip()));
      }
    }
    List<String> broken = new ArrayList<>();

    for (Path room : rooms()) {
      Matcher own = MODULE_NAME.matcher(Repository.text(room.resolve("pom.xml")));
      String module = own.find() ? own.group(1) : "";
      for (Path file : sources(room.resolve("src/main/java"))) {
        PACKAGE
            .matcher(code(file))
            .results()
            .map(found -> found.group(1))
            .filter(used -> !modular.getOrDefault(used, room).equals(room))
            .filter(used ->
                !exports.containsKey(used)
                    || !(exports.get(used).isEmpty()
                        || List.of(exports.get(used).split("[\\s,]+")).contains(module)))
            .forEach(used -> broken.add(where(file) + " uses " + used));
      }
    }

    assertThat(modular.values()).contains(ROOT.resolve("server"), ROOT.resolve("store"));
    assertThat(broken).as("not exported to it").isEmpty();
  }

  /** Its readers find each step by the name of a method. */
  @Test
  void theLifeOfACommandNamesWhatIsThere() {
    Map<String, String> classes = new HashMap<>();
    for (Path file : sources(ROOT.resolve("server/src/main/java"))) {
      classes.put(file.getFileName().toString().replace(".java", ""), code(file));
    }

    assertThat(
            Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`")
                .matcher(Repository.text(ROOT.resolve("docs/internals/life-of-a-command.md")))
                .results())
        .isNotEmpty()
        .allSatisfy(step ->
            assertThat(classes.getOrDefault(step.group(1), ""))
                .as(step.group())
                .contains(" " + step.group(2) + "("));
  }

  /** The place in the order of a class, or else of its package. */
  private static int rank(List<List<String>> ranks, String name, String type) {
    String inside = name.startsWith(".") ? name.substring(1) : name;
    String known = inside.isEmpty() ? "." : inside;
    for (String place : List.of(type, known)) {
      for (int i = 0; i < ranks.size(); i++) {
        if (ranks.get(i).contains(place)) {
          return i;
        }
      }
    }
    throw new AssertionError("package " + known + " has no place in " + ranks);
  }

  @Test
  void anEnginesPomNamesTheStoreOnly() {
    assertThat(engines())
        .allSatisfy(engine ->
            assertThat(notAllowed(engine, Set.of("store", "rocksjava", "sql", "h2file")))
                .isEmpty());
  }

  /** Our modules that the pom in a folder names outside of the test scope. */
  private static List<String> notAllowed(Path folder, Set<String> allowed) {
    Path pom = folder.resolve("pom.xml");
    return dependencies(pom).stream()
        .filter(dependency -> !dependency.contains("<scope>test</scope>"))
        .flatMap(dependency ->
            Pattern.compile("<artifactId>kv-stadium-([^<]+)</artifactId>")
                .matcher(dependency)
                .results()
                .map(found -> found.group(1)))
        .filter(module -> !allowed.contains(module))
        .map(module -> where(pom) + " depends on kv-stadium-" + module)
        .toList();
  }

  private static List<String> dependencies(Path pom) {
    return Files.exists(pom)
        ? DEPENDENCY
            .matcher(Repository.text(pom))
            .results()
            .map(found -> found.group(1).strip())
            .toList()
        : List.of();
  }

  /** The text without comments, which may name anything. */
  private static String code(Path file) {
    return COMMENT.matcher(Repository.text(file)).replaceAll(" ");
  }

  /** The package that holds an engine, {@code io.kvstadium.engine.<name>}. */
  private static String packageOf(List<Path> files) {
    Set<String> packages = new TreeSet<>();
    for (Path file : files) {
      Matcher name = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE).matcher(code(file));
      if (name.find()) {
        packages.add(name.group(1));
      }
    }
    assertThat(packages).as("an engine has a package of its own: %s", files).hasSize(1);
    return packages.iterator().next();
  }

  private static List<Path> rooms() {
    return Stream.of(withSources(ROOT), engines()).flatMap(List::stream).toList();
  }

  private static List<Path> engines() {
    return withSources(ROOT.resolve("engines"));
  }

  private static List<Path> withSources(Path parent) {
    try (Stream<Path> folders = Files.list(parent)) {
      List<Path> found =
          folders
              .filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
              .sorted()
              .toList();
      assertThat(found).isNotEmpty();
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> sources(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of(); // a module that does not exist yet
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String where(Path file) {
    return ROOT.relativize(file).toString();
  }
}
