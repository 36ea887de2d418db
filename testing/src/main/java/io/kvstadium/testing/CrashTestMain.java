package io.kvstadium.testing;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The process of a method of a {@link CrashTest}. */
final class CrashTestMain {
  static final String WORK = "work";
  static final String CHECK = "check";

  /** How many frames of a failure are printed, which the reason must not drown in. */
  private static final int FRAMES = 4;

  private CrashTestMain() {}

  /** Arguments: the method, its class, the directory. */
  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false);
    System.setOut(System.err); // theirs would be taken for acknowledgements
    Class<?> type = Class.forName(args[1]);
    Path directory = Path.of(args[2]);
    int code = 0;
    try {
      if (args[0].equals(WORK)) {
        call(work(type), type, directory, new Acknowledged(out));
      } else {
        call(check(type), type, directory, lines());
      }
    } catch (InvocationTargetException e) {
      code = 1;
      for (Throwable each = e.getCause(); each != null; each = each.getCause()) {
        System.err.println(each);
        Arrays.stream(each.getStackTrace())
            .limit(FRAMES)
            .forEach(frame -> System.err.println("  at " + frame));
      }
    }
    System.exit(code); // whatever threads it has left
  }

  private static List<String> lines() throws IOException {
    return new String(System.in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
  }

  static Method work(Class<?> type) throws NoSuchMethodException {
    return type.getDeclaredMethod(WORK, Path.class, Acknowledged.class);
  }

  static Method check(Class<?> type) throws NoSuchMethodException {
    return type.getDeclaredMethod(CHECK, Path.class, List.class);
  }

  static Constructor<?> constructor(Class<?> type) throws NoSuchMethodException {
    return type.getDeclaredConstructor();
  }

  private static void call(Method method, Class<?> type, Object... arguments)
      throws ReflectiveOperationException {
    method.setAccessible(true);
    Constructor<?> constructor = constructor(type);
    constructor.setAccessible(true);
    method.invoke(constructor.newInstance(), arguments);
  }
}
