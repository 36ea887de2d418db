package io.kvstadium.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java in the pages compiles: blocks, and calls of the library within sentences and tables.
 * Each stands in a method of its own and may use the names of {@code snippets.java}. An ellipsis
 * stands for whatever fits.
 */
class SnippetsTest {
  private static final Pattern BLOCK = Pattern.compile("(?m)^```java\\R((?s:.*?))^```$");

  private static final Pattern CALL =
      Pattern.compile("`((?:table|store|cursor|visits|Range|Stadium|Backups)\\.\\w+\\([^`]*\\))`");

  private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;$");

  @TempDir private Path classes;

  private record Snippet(String page, int line, String code) {
    String imports() {
      return IMPORT.matcher(code).results().map(MatchResult::group).collect(Collectors.joining());
    }

    /** On one line up to the code, so that its lines are counted from the page's. */
    JavaFileObject file(int number, String context) {
      String name = "Snippet" + number;
      String body =
          IMPORT
              .matcher(code)
              .replaceAll("")
              .replace("-> …", "-> { throw new IllegalStateException(); }");
      String text =
          context.replace("class Context", "class " + name).replace("/* imports */", imports())
              + " void snippet() throws Exception { "
              + body
              + "\n}}\n";
      return new SimpleJavaFileObject(
          URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
          return text;
        }
      };
    }
  }

  @Test
  void everyJavaSnippetCompiles() throws IOException {
    String context;
    try (InputStream in = SnippetsTest.class.getResourceAsStream("snippets.java")) {
      context = new String(in.readAllBytes(), UTF_8);
    }
    context = context.strip().replaceAll("\\s*\\R\\s*", " ").replaceFirst("\\}$", "");
    List<Snippet> snippets = new ArrayList<>();
    for (Path page : pages()) {
      snippets.addAll(snippets(page));
    }
    assertThat(snippets).hasSizeGreaterThan(40);

    assertThat(errors(snippets, context)).isEmpty();
  }

  private List<String> errors(List<Snippet> snippets, String context) throws IOException {
    List<JavaFileObject> files = new ArrayList<>();
    for (int i = 0; i < snippets.size(); i++) {
      files.add(snippets.get(i).file(i, context));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    StringWriter other = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                other,
                null,
                found,
                List.of("-proc:none", "-d", classes.toString(), "-cp", classPath()),
                null,
                files)
            .call();
    List<String> errors = new ArrayList<>();
    for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
      if (each.getKind() == Diagnostic.Kind.ERROR) {
        Snippet snippet = snippets.get(files.indexOf(each.getSource()));
        errors.add(
            "%s:%d: %s"
                .formatted(
                    snippet.page(),
                    snippet.line() + each.getLineNumber() - 1,
                    each.getMessage(Locale.ROOT)));
      }
    }
    assertThat(compiled || !errors.isEmpty()).as(other.toString()).isTrue();
    return errors;
  }

  private static List<Snippet> snippets(Path page) throws IOException {
    String text = Files.readString(page);
    String name = Checkout.ROOT.relativize(page).toString();
    List<Snippet> snippets = new ArrayList<>();
    BLOCK
        .matcher(text)
        .results()
        .forEach(
            block -> snippets.add(new Snippet(name, line(text, block.start(1)), block.group(1))));
    CALL.matcher(text)
        .results()
        .filter(call -> !call.group(1).contains("(…)") && !call.group(1).contains("Range…"))
        .forEach(
            call -> snippets.add(new Snippet(name, line(text, call.start()), call.group(1) + ";")));
    return snippets;
  }

  private static int line(String text, int position) {
    return 1 + (int) text.substring(0, position).chars().filter(each -> each == '\n').count();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(Checkout.ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(Checkout.ROOT.resolve("README.md")), docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  /** The library and its relatives, and MapDB, from which a page says how to come. */
  private static String classPath() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String folder : List.of("lib", "engines/mapdb")) {
      try (Stream<Path> all = Files.list(Checkout.ROOT.resolve("target/dist").resolve(folder))) {
        all.forEach(jars::add);
      }
    }
    for (String module : List.of("micrometer", "testing")) {
      String name = "kv-stadium-" + module + "-" + Checkout.VERSION + ".jar";
      jars.add(Checkout.built(module, name));
    }
    return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
