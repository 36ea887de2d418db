package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles source text against the tests' class path. */
final class Javac {
  private Javac() {}

  /**
   * @param fileName {@code Name.java}; classes and source end up below {@code folder}
   */
  static void compile(String fileName, String source, Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve(fileName), source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of(
              "-d",
              folder.toString(),
              "-proc:none",
              "-classpath",
              folder + File.pathSeparator + System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
              .call();
      assertThat(compiled).as("%s%nof%n%s", messages, source).isTrue();
    }
  }
}
