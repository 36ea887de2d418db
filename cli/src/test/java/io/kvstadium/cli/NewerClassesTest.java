package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class NewerClassesTest {
  @TempDir private Path directory;

  @Test
  void allClassesCanBeUsedAndCached() throws Exception {
    Path library =
        Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path rewritten = directory.resolve("newer.jar");

    NewerClasses.rewrite(library, rewritten);

    assertThat(names(rewritten)).containsExactlyElementsOf(names(library));
    try (JarFile jar = new JarFile(rewritten.toFile());
        URLClassLoader loader =
            new URLClassLoader(
                new URL[] {rewritten.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      for (JarEntry entry : jar.stream().toList()) {
        String name = entry.getName();
        if (name.endsWith(".class")) {
          byte[] bytes = jar.getInputStream(entry).readAllBytes();
          assertThat(ClassFile.of().parse(bytes).majorVersion())
              .as(name)
              .isGreaterThanOrEqualTo(NewerClasses.FIRST_VERSION);
        }
        if (name.startsWith("picocli/") && name.endsWith(".class")) {
          String type = name.replaceFirst("\\.class$", "").replace('/', '.');
          assertThat(Class.forName(type, true, loader)).isNotNull(); // which verifies its code
        }
      }
    }
  }

  private static List<String> names(Path library) throws Exception {
    try (JarFile jar = new JarFile(library.toFile())) {
      return jar.stream().map(JarEntry::getName).toList();
    }
  }
}
