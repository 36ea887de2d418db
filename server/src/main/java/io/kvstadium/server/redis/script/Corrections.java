package io.kvstadium.server.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Mends two methods of LuaJ 3.0.1 when its classes are loaded: it shows numbers with 7 digits
 * instead of 14, so that time stamps in scripts would lose their ends, and compares bytes as signed
 * numbers. See {@code docs/internals/adr/0032-scripts-on-luaj.md}.
 */
public final class Corrections {
  private static final ClassDesc OURS = ClassDesc.of(Corrections.class.getName());
  private static final ClassDesc STRING = ClassDesc.of("org.luaj.vm2.LuaString");
  private static final ClassDesc NUMBER = ClassDesc.of("org.luaj.vm2.LuaDouble");
  private static final ClassDesc BYTES = ConstantDescs.CD_byte.arrayType();
  private static final ClassDesc INT = ConstantDescs.CD_int;

  // once, and in this order: defining numbers loads strings
  static {
    mend(
        "LuaString",
        "strcmp",
        MethodTypeDesc.of(INT, STRING),
        code -> {
          string(code, 0);
          string(code, 1);
          code.invokestatic(
                  OURS, "compare", MethodTypeDesc.of(INT, BYTES, INT, INT, BYTES, INT, INT))
              .ireturn();
        });
    mend(
        "LuaDouble",
        "tojstring",
        MethodTypeDesc.of(ConstantDescs.CD_String),
        code ->
            code.aload(0)
                .getfield(NUMBER, "v", ConstantDescs.CD_double)
                .invokestatic(
                    OURS,
                    "text",
                    MethodTypeDesc.of(ConstantDescs.CD_String, ConstantDescs.CD_double))
                .areturn());
  }

  private Corrections() {}

  /** Mends LuaJ, unless that was done before. Must be called before any of its classes is used. */
  public static void apply() {
    // initialization has done it
  }

  private static void string(CodeBuilder code, int variable) {
    code.aload(variable)
        .getfield(STRING, "m_bytes", BYTES)
        .aload(variable)
        .getfield(STRING, "m_offset", INT)
        .aload(variable)
        .getfield(STRING, "m_length", INT);
  }

  private static void mend(
      String type, String method, MethodTypeDesc signature, Consumer<CodeBuilder> body) {
    CodeTransform replaced =
        new CodeTransform() {
          @Override
          public void atStart(CodeBuilder code) {
            body.accept(code);
          }

          @Override
          public void accept(CodeBuilder code, CodeElement element) {
            // dropped
          }
        };
    ClassLoader loader = Corrections.class.getClassLoader();
    try (InputStream in = loader.getResourceAsStream("org/luaj/vm2/" + type + ".class")) {
      byte[] original = Objects.requireNonNull(in, "LuaJ is missing").readAllBytes();
      byte[] mended =
          ClassFile.of()
              .transformClass(
                  ClassFile.of().parse(original),
                  ClassTransform.transformingMethodBodies(
                      each ->
                          each.methodName().equalsString(method)
                              && each.methodTypeSymbol().equals(signature),
                      replaced));
      // a class without dependencies, for its package: none that we mend may be loaded before
      Class<?> neighbour = Class.forName("org.luaj.vm2.Lua", false, loader);
      var _ = MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup()).defineClass(mended);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("LuaJ cannot be mended", e);
    }
  }

  /** A number as Lua 5.1 shows it. */
  public static String text(double value) {
    return Formats.general(value, 14);
  }

  /** Compares bytes without sign. */
  public static int compare(
      byte[] one, int from, int length, byte[] other, int otherFrom, int otherLength) {
    return Arrays.compareUnsigned(
        one, from, from + length, other, otherFrom, otherFrom + otherLength);
  }
}
