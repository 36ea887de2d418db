package io.kvstadium.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Writes a library again with its classes in a newer version of their format, and otherwise the
 * same. The JVM's cache leaves out classes from before Java 6, of which the command line's library
 * has about two hundred: loading them took a fifth of each start.
 */
final class NewerClasses {
  /** The first version whose code is verified as it is written, as the cache needs it. */
  static final int FIRST_VERSION = ClassFile.JAVA_6_VERSION;

  private NewerClasses() {}

  /**
   * Called by the launcher before it makes the cache.
   *
   * @param arguments the library, and where to write it again
   */
  public static void main(String[] arguments) throws IOException {
    rewrite(Path.of(arguments[0]), Path.of(arguments[1]));
  }

  static void rewrite(Path library, Path target) throws IOException {
    try (JarFile jar = new JarFile(library.toFile());
        URLClassLoader classes = new URLClassLoader(new URL[] {library.toUri().toURL()});
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(target))) {
      ClassFile format =
          ClassFile.of(
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(classes)));
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        try (InputStream in = jar.getInputStream(entry)) {
          out.putNextEntry(new JarEntry(entry.getName()));
          byte[] bytes = in.readAllBytes();
          out.write(entry.getName().endsWith(".class") ? newer(format, bytes) : bytes);
        }
      }
    }
  }

  private static byte[] newer(ClassFile format, byte[] bytes) {
    ClassModel old = format.parse(bytes);
    if (old.majorVersion() >= FIRST_VERSION) {
      return bytes;
    }
    return format.build(
        old.thisClass().asSymbol(),
        builder -> {
          for (ClassElement element : old) {
            switch (element) {
              case ClassFileVersion _ -> builder.withVersion(FIRST_VERSION + 1, 0);
              case MethodModel method -> // whose frames are computed anew
                  builder.transformMethod(
                      method, MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL));
              default -> builder.with(element);
            }
          }
        });
  }
}
