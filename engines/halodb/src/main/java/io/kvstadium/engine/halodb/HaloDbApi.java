package io.kvstadium.engine.halodb;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of HaloDB's interface that is used, as of 0.5.6. Use it only if {@link #missing} returns
 * null; the handles are then bound for good.
 */
final class HaloDbApi {
  private static final String PACKAGE = "com.oath.halodb.";

  private HaloDbApi() {}

  /** Bound when first used; the handles take HaloDB's types as {@code Object}. */
  private static final class Bound {
    static final Class<?> DB = type("HaloDB");
    static final Class<?> OPTIONS = type("HaloDBOptions");
    static final Class<?> ITERATOR = type("HaloDBIterator");
    static final Class<?> RECORD = type("Record");
    static final Class<?> STATS = type("HaloDBStats");

    static final MethodHandle OPEN = open();
    static final MethodHandle GET = method(DB, "get", byte[].class, byte[].class);
    static final MethodHandle PUT =
        method(DB, "put", boolean.class, byte[].class, byte[].class)
            .asType(MethodType.methodType(void.class, Object.class, byte[].class, byte[].class));
    static final MethodHandle DELETE = method(DB, "delete", void.class, byte[].class);
    static final MethodHandle SIZE = method(DB, "size", long.class);
    static final MethodHandle CLOSE = method(DB, "close", void.class);
    static final MethodHandle PAUSE = method(DB, "pauseCompaction", void.class);
    static final MethodHandle RESUME = method(DB, "resumeCompaction", void.class);
    static final MethodHandle ITERATE =
        method(DB, "newIterator", ITERATOR)
            .asType(MethodType.methodType(Object.class, Object.class));
    static final MethodHandle KEY = method(RECORD, "getKey", byte[].class);
    static final MethodHandle VALUE = method(RECORD, "getValue", byte[].class);
    static final MethodHandle STATISTICS =
        method(DB, "stats", STATS).asType(MethodType.methodType(Object.class, Object.class));
    static final MethodHandle FIGURES =
        method(STATS, "toStringMap", Map.class)
            .asType(MethodType.methodType(Object.class, Object.class));

    static Class<?> type(String name) {
      try {
        return Class.forName(PACKAGE + name, false, HaloDbApi.class.getClassLoader());
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException("HaloDB's class " + PACKAGE + name + " is missing", e);
      }
    }

    private static MethodHandle open() {
      try {
        return MethodHandles.publicLookup()
            .findStatic(DB, "open", MethodType.methodType(DB, File.class, OPTIONS))
            .asType(MethodType.methodType(Object.class, File.class, Object.class));
      } catch (ReflectiveOperationException e) {
        throw lacks(DB, "open", e);
      }
    }

    private static MethodHandle method(
        Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
      try {
        MethodHandle method =
            MethodHandles.publicLookup()
                .findVirtual(owner, name, MethodType.methodType(result, parameters));
        return method.asType(method.type().changeParameterType(0, Object.class));
      } catch (ReflectiveOperationException e) {
        throw lacks(owner, name, e);
      }
    }

    private static IllegalStateException lacks(Class<?> owner, String name, Exception e) {
      return new IllegalStateException(
          "the HaloDB found does not have the method " + owner.getName() + "." + name + " of 0.5.6",
          e);
    }
  }

  /** What keeps HaloDB from being used here, or {@code null}. */
  static @Nullable String missing() {
    ClassLoader loader = HaloDbApi.class.getClassLoader();
    if (loader == null || loader.getResource("com/oath/halodb/HaloDB.class") == null) {
      return "its jar is missing";
    }
    try {
      Bound.OPEN.type(); // binds
      Class.forName(PACKAGE + "Uns", true, loader); // its use of the JVM's and JNA's memory
      return null;
    } catch (ClassNotFoundException e) {
      return null; // a HaloDB that is built differently
    } catch (LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return "HaloDB or what it needs cannot be loaded (" + cause + ")";
    }
  }

  /** Some of the calls below. */
  interface Call<R> {
    R run() throws Throwable;
  }

  static <R> R call(Call<R> call) throws Exception {
    try {
      return call.run();
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** The same without a result. */
  interface Action {
    void run() throws Throwable;
  }

  static void run(Action action) throws Exception {
    call(() -> {
      action.run();
      return true;
    });
  }

  /** What a call threw: it could be anything by a handle's signature, but not by HaloDB's. */
  static Exception thrown(Throwable e) {
    return switch (e) {
      case Error error -> throw error;
      case Exception exception -> exception;
      default -> new IllegalStateException(e);
    };
  }

  /** New options, with one setter called for each entry. */
  static Object options(Map<String, Object> settings) throws Throwable {
    Object options = Bound.OPTIONS.getConstructor().newInstance();
    for (Map.Entry<String, Object> setting : settings.entrySet()) {
      Class<?> type = MethodType.methodType(setting.getValue().getClass()).unwrap().returnType();
      try {
        Bound.OPTIONS.getMethod(setting.getKey(), type).invoke(options, setting.getValue());
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }
    return options;
  }

  static Object open(File directory, Object options) throws Throwable {
    return (Object) Bound.OPEN.invokeExact(directory, options);
  }

  static byte @Nullable [] get(Object db, byte[] key) throws Throwable {
    return (byte[]) Bound.GET.invokeExact(db, key);
  }

  static void put(Object db, byte[] key, byte[] value) throws Throwable {
    Bound.PUT.invokeExact(db, key, value);
  }

  static void delete(Object db, byte[] key) throws Throwable {
    Bound.DELETE.invokeExact(db, key);
  }

  static long size(Object db) throws Throwable {
    return (long) Bound.SIZE.invokeExact(db);
  }

  static void close(Object db) throws Throwable {
    Bound.CLOSE.invokeExact(db);
  }

  static void pauseCompaction(Object db) throws Throwable {
    Bound.PAUSE.invokeExact(db);
  }

  static void resumeCompaction(Object db) throws Throwable {
    Bound.RESUME.invokeExact(db);
  }

  static Iterator<?> iterator(Object db) throws Throwable {
    Object iterator = (Object) Bound.ITERATE.invokeExact(db);
    return (Iterator<?>) iterator;
  }

  static byte[] key(Object entry) throws Throwable {
    return (byte[]) Bound.KEY.invokeExact(entry);
  }

  static byte[] value(Object entry) throws Throwable {
    return (byte[]) Bound.VALUE.invokeExact(entry);
  }

  /** HaloDB's figures by name. */
  static Map<?, ?> stats(Object db) throws Throwable {
    Object stats = (Object) Bound.STATISTICS.invokeExact(db);
    Object figures = (Object) Bound.FIGURES.invokeExact(stats);
    return (Map<?, ?>) figures;
  }
}
