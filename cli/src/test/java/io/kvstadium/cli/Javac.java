package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles sources. */
final class Javac {
  private Javac() {}

  /**
   * Compiles a text against the tests' class path.
   *
   * @param fileName {@code Name.java}; classes and source end up below {@code folder}
   */
  static void compile(String fileName, String source, Path folder) throws IOException {
    compile(
        Files.writeString(folder.resolve(fileName), source),
        folder,
        "-classpath",
        folder + File.pathSeparator + System.getProperty("java.class.path"));
  }

  /**
   * @param file classes of it, and of what it uses that are in no class path, end up below {@code
   *     folder}
   */
  static void compile(Path file, Path folder, String... paths) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      List<String> options =
          Stream.concat(Stream.of("-d", folder.toString(), "-proc:none"), Stream.of(paths))
              .toList();
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
              .call();
      assertThat(compiled).as("%s%nof%n%s", messages, Files.readString(file)).isTrue();
    }
  }
}
