package io.kvstadium.store.codec;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link Codec#record} and {@link Codec#tuple}, where the format is described. */
public final class TupleCodec<R> implements Codec<R> {
  private static final byte ESCAPED = (byte) 0xff;

  private static final Map<Class<?>, Codec<?>> KNOWN =
      Map.of(
          String.class, STRING,
          byte[].class, BYTES,
          boolean.class, BOOLEAN,
          int.class, INT,
          long.class, LONG,
          double.class, DOUBLE,
          UUID.class, UUID,
          Instant.class, INSTANT);

  private static final Map<Class<?>, Class<?>> PRIMITIVES =
      Map.of(
          Boolean.class, boolean.class,
          Integer.class, int.class,
          Long.class, long.class,
          Double.class, double.class);

  private final String name;
  private final List<String> names;
  private final List<Codec<Object>> codecs;
  private final Function<R, Object[]> split;
  private final Function<Object[], R> make;

  /**
   * @param names the components', for messages
   */
  private TupleCodec(
      String name,
      List<String> names,
      List<Codec<Object>> codecs,
      Function<R, Object[]> split,
      Function<Object[], R> make) {
    this.name = name;
    this.names = names;
    this.codecs = codecs;
    this.split = split;
    this.make = make;
  }

  public static Codec<List<Object>> of(List<? extends Codec<?>> elements) {
    List<Codec<Object>> codecs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Codec<?> codec : Arguments.given("Codec.tuple", "list of codecs", elements)) {
      codecs.add(ofAny(Arguments.given("Codec.tuple", "codec", codec)));
      names.add(Integer.toString(codecs.size()));
    }
    if (codecs.isEmpty()) {
      throw new BadArgumentException("Codec.tuple: there are no codecs: give one for each element");
    }
    return new TupleCodec<List<Object>>(
        "tuple",
        List.copyOf(names),
        List.copyOf(codecs),
        list -> {
          if (list.size() != codecs.size()) {
            throw new BadArgumentException(
                "a tuple has %d elements, but its codec takes %d: %s"
                    .formatted(list.size(), codecs.size(), list));
          }
          return list.toArray();
        },
        Arrays::asList);
  }

  public static <R extends Record> Codec<R> of(Class<R> type, Map<String, Codec<?>> given) {
    return of(type, given, List.of());
  }

  /**
   * @param within the records that this one is a component of
   */
  private static <R extends Record> Codec<R> of(
      Class<R> type, Map<String, Codec<?>> given, List<Class<?>> within) {
    Map<String, Codec<?>> left =
        new LinkedHashMap<>(Arguments.given("Codec.record", "map of codecs", given));
    List<Codec<Object>> codecs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    RecordComponent[] components =
        Arguments.given("Codec.record", "class of the record", type).getRecordComponents();
    if (components == null || components.length == 0) {
      throw new BadArgumentException(type + " has no components: give a record that has");
    }
    List<Class<?>> path = new ArrayList<>(within);
    path.add(type);
    for (RecordComponent component : components) {
      Codec<?> codec = left.remove(component.getName());
      codecs.add(ofAny(codec == null ? known(component, path) : codec));
      names.add(component.getName());
    }
    if (!left.isEmpty()) {
      throw new BadArgumentException(
          "%s has no component %s: its components are %s"
              .formatted(type.getName(), left.keySet(), names));
    }
    MethodHandle[] accessors = accessors(type, components);
    MethodHandle constructor = constructor(type, components);
    return new TupleCodec<>(
        type.getSimpleName(),
        List.copyOf(names),
        List.copyOf(codecs),
        value -> {
          Object[] parts = new Object[accessors.length];
          for (int i = 0; i < parts.length; i++) {
            parts[i] = call(accessors[i], value);
          }
          return parts;
        },
        parts -> type.cast(call(constructor, parts)));
  }

  @SuppressWarnings("unchecked") // is given only what its own decode or the component made
  private static Codec<Object> ofAny(Codec<?> codec) {
    return (Codec<Object>) codec;
  }

  private static Codec<?> known(RecordComponent component, List<Class<?>> within) {
    Class<?> type = component.getType();
    Codec<?> codec = KNOWN.get(PRIMITIVES.getOrDefault(type, type));
    if (codec != null) {
      return codec;
    }
    if (type.isEnum()) {
      return ofEnum(type.asSubclass(Enum.class));
    }
    if (type.isRecord() && !within.contains(type)) {
      return of(type.asSubclass(Record.class), Map.of(), within);
    }
    throw new BadArgumentException(
        ("component %s of %s has the type %s, which has no codec: give it one, as in"
                + " Codec.record(%s.class, Map.of(\"%s\", codec))")
            .formatted(
                component.getName(),
                component.getDeclaringRecord().getName(),
                type.getTypeName(),
                component.getDeclaringRecord().getSimpleName(),
                component.getName()));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an enum by its class
  private static Codec<?> ofEnum(Class<? extends Enum> type) {
    return Codec.<String, Enum>map(STRING, name -> Enum.valueOf(type, name), Enum::name);
  }

  private static MethodHandle[] accessors(Class<?> type, RecordComponent[] components) {
    MethodHandle[] accessors = new MethodHandle[components.length];
    for (int i = 0; i < components.length; i++) {
      var accessor = components[i].getAccessor();
      open(type, accessor);
      try {
        accessors[i] =
            MethodHandles.lookup().unreflect(accessor).asType(MethodType.genericMethodType(1));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("was made accessible", e);
      }
    }
    return accessors;
  }

  private static MethodHandle constructor(Class<?> type, RecordComponent[] components) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      open(type, constructor);
      return MethodHandles.lookup()
          .unreflectConstructor(constructor)
          .asType(MethodType.genericMethodType(types.length))
          .asSpreader(Object[].class, types.length)
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("each record has it, and it was made accessible", e);
    }
  }

  private static void open(Class<?> type, AccessibleObject member) {
    try {
      member.setAccessible(true);
    } catch (InaccessibleObjectException e) {
      throw new BadArgumentException(
          "%s cannot be read: add \"opens %s to io.kvstadium.store;\" to its module-info.java"
              .formatted(type.getName(), type.getPackageName()),
          e);
    }
  }

  private static Object call(MethodHandle handle, Object argument) {
    try {
      return (Object) handle.invokeExact(argument);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("records declare no checked exceptions", e);
    }
  }

  @Override
  public byte[] encode(R value) {
    Object[] parts = split.apply(Arguments.given(this, "record", value));
    ByteArrayOutputStream out = new ByteArrayOutputStream(32);
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] == null) {
        throw new BadArgumentException(
            "%s: component %s of %s is null".formatted(this, names.get(i), value));
      }
      write(out, i, encodeComponent(i, parts[i]));
    }
    return out.toByteArray();
  }

  @Override
  public R decode(byte[] bytes) {
    byte[][] encoded = split(bytes);
    Object[] parts = new Object[encoded.length];
    for (int i = 0; i < parts.length; i++) {
      try {
        parts[i] = codecs.get(i).decode(encoded[i]);
      } catch (CorruptException e) {
        throw new CorruptException(complaint(bytes, i, e.getMessage()), e);
      }
    }
    try {
      return make.apply(parts);
    } catch (RuntimeException e) {
      throw new CorruptException(this + ": the constructor refused " + Hex.of(bytes) + ": " + e, e);
    }
  }

  @Override
  public boolean ordered() {
    return codecs.stream().allMatch(Codec::ordered);
  }

  @Override
  public int length() {
    int sum = 0;
    for (Codec<?> codec : codecs) {
      int length = codec.length();
      if (length < 0) {
        return -1;
      }
      sum += length;
    }
    return sum;
  }

  @Override
  public String toString() {
    return codecs.stream().map(String::valueOf).collect(Collectors.joining(", ", name + "(", ")"));
  }

  /** The codec of keys whose components are to be given. */
  public static <K> TupleCodec<K> of(Codec<K> codec) {
    if (Arguments.given("a range", "codec of the keys", codec) instanceof TupleCodec<K> tuple) {
      return tuple;
    }
    throw new BadArgumentException(
        "the codec " + codec + " has no components: make it by Codec.record or Codec.tuple");
  }

  /** The number of components. */
  public int size() {
    return codecs.size();
  }

  /**
   * What the keys with these leading components begin with. Because components are written so that
   * their order is kept and none begins with another, it is a bound in the order of the keys.
   */
  public byte[] leading(List<?> components) {
    int count = Arguments.given(this, "list of components", components).size();
    if (count > size()) {
      throw new BadArgumentException(
          "a range gives %d components, but the codec %s has %d".formatted(count, this, size()));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(32);
    for (int i = 0; i < count; i++) {
      write(out, i, bound(i, components.get(i)));
    }
    return out.toByteArray();
  }

  @SuppressWarnings("ReferenceEquality") // a codec is its identity
  private byte[] bound(int component, @Nullable Object value) {
    Object given =
        value instanceof Integer number && codecs.get(component) == ofAny(LONG)
            ? (Object) number.longValue()
            : Arguments.given(this, "component " + names.get(component), value);
    return encodeComponent(component, given);
  }

  private byte[] encodeComponent(int component, Object value) {
    Codec<Object> codec = codecs.get(component);
    byte[] bytes;
    try {
      bytes = codec.encode(value);
    } catch (ClassCastException e) {
      throw new BadArgumentException(
          "component %s of the codec %s is a %s, but is given %s, of %s"
              .formatted(
                  names.get(component), this, codec, value, value.getClass().getSimpleName()),
          e);
    }
    int length = codec.length();
    if (length >= 0 && bytes.length != length) {
      throw new BadArgumentException(
          "codec %s says that its values have %d bytes, but encoded one to %s: correct its length()"
              .formatted(codec, length, Hex.of(bytes)));
    }
    return bytes;
  }

  /** The last one too, so that a component that is missing behind it, or one too many, is found. */
  private boolean isEscaped(int component) {
    return codecs.get(component).length() < 0;
  }

  private void write(ByteArrayOutputStream out, int component, byte[] bytes) {
    writeContent(out, component, bytes);
    if (isEscaped(component)) {
      out.write(0);
      out.write(0);
    }
  }

  private void writeContent(ByteArrayOutputStream out, int component, byte[] bytes) {
    if (!isEscaped(component)) {
      out.writeBytes(bytes);
      return;
    }
    for (byte b : bytes) {
      out.write(b);
      if (b == 0) {
        out.write(ESCAPED);
      }
    }
  }

  private byte[][] split(byte[] bytes) {
    byte[][] parts = new byte[codecs.size()][];
    int at = 0;
    for (int i = 0; i < parts.length; i++) {
      int length = codecs.get(i).length();
      if (length >= 0) {
        if (bytes.length - at < length) {
          throw corrupt(
              bytes,
              i,
              "it takes %d bytes, %d left%s"
                  .formatted(length, bytes.length - at, fewer(bytes, at)));
        }
        parts[i] = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
      } else {
        int end = terminator(bytes, at, i);
        parts[i] = unescape(bytes, at, end);
        at = end + 2;
      }
    }
    if (at < bytes.length) {
      throw new CorruptException(
          "%s: %d bytes of %s are left after the last component: was it written with more components?"
              .formatted(this, bytes.length - at, Hex.of(bytes)));
    }
    return parts;
  }

  private static String fewer(byte[] bytes, int at) {
    return at == bytes.length ? ": was it written with fewer components?" : "";
  }

  /** The offset of {@code 00 00}, not counting what is escaped. */
  private int terminator(byte[] bytes, int start, int component) {
    int at = start;
    while (at + 1 < bytes.length) {
      if (bytes[at] != 0) {
        at++;
      } else if (bytes[at + 1] == 0) {
        return at;
      } else if (bytes[at + 1] == ESCAPED) {
        at += 2;
      } else {
        throw corrupt(bytes, component, "00 is followed neither by 00 nor by FF at offset " + at);
      }
    }
    throw corrupt(bytes, component, "its end (00 00) is missing" + fewer(bytes, start));
  }

  private static byte[] unescape(byte[] bytes, int start, int end) {
    byte[] plain = new byte[end - start];
    int length = 0;
    for (int at = start; at < end; at++) {
      plain[length++] = bytes[at];
      if (bytes[at] == 0) {
        at++; // the FF after it
      }
    }
    return length == plain.length ? plain : Arrays.copyOf(plain, length);
  }

  private CorruptException corrupt(byte[] bytes, int component, String why) {
    return new CorruptException(complaint(bytes, component, why));
  }

  private String complaint(byte[] bytes, int component, @Nullable String why) {
    return "%s: component %s of %s cannot be read: %s"
        .formatted(this, names.get(component), Hex.of(bytes), why);
  }
}
