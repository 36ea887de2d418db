package io.kvstadium.server.scripts;

import io.kvstadium.lua.Interpreter;
import io.kvstadium.lua.Interpreter.Kind;
import io.kvstadium.lua.Results.Failure;
import io.kvstadium.lua.ScriptException;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.Notes;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.scripts.Scripts.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Libraries of functions, as one commit group sees them. They are stored among what describes
 * database 0: a library's source, and by each function's name where it is. A call executes the
 * library's source and then the function, so that calls share nothing.
 */
final class Functions {
  /** What is put before and after a source, on its lines. */
  private static final byte[] BEFORE = before();

  private static final byte[] AFTER = Bytes.of("\nend)");
  private static final String LIBRARY = "l";
  private static final String FUNCTION = "f";
  private static final byte[] NOTHING = {};

  private final Call call;
  private final Scripts scripts;
  private final boolean raw;
  private final Notes notes;

  /**
   * A function.
   *
   * @param flags with commas between them
   * @param id of its library's source
   */
  record Function(
      String name, String flags, String id, String library, @Nullable String description) {
    private byte[] stored() {
      String last = description == null ? "" : "\n" + description;
      return Bytes.of(flags + "\n" + id + "\n" + library + last);
    }

    private static Function of(String name, byte[] stored) {
      String[] words = Bytes.text(stored).split("\n", 4);
      return new Function(name, words[0], words[1], words[2], words.length > 3 ? words[3] : null);
    }

    private boolean is(String flag) {
      return List.of(flags.split(",")).contains(flag);
    }
  }

  Functions(Call call, Scripts scripts) {
    this.call = call;
    this.scripts = scripts;
    Keyspace first = call.view().stored(0);
    this.raw = first.database().raw();
    this.notes = first.notes();
  }

  private static byte[] before() {
    try (InputStream in = Functions.class.getResourceAsStream("functions.lua")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return Bytes.of(
          text.lines()
              .filter(line -> !line.startsWith("--"))
              .map(String::strip)
              .collect(Collectors.joining(" ")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The function with a name in either case, to be run. */
  Script find(String wanted) {
    Function function = function(wanted);
    if (function == null) {
      throw ReplyException.error("Function not found");
    }
    String name = function.name();
    Script library = scripts.get(function.id());
    if (library == null) {
      byte[] source = Objects.requireNonNull(notes.get(LIBRARY + function.library()));
      library = library(function.id(), function.library(), source);
      scripts.add(library);
    }
    return new Script(
        Kind.FUNCTION,
        library.id(),
        name,
        new byte[][] {Bytes.of(name)},
        library.source(),
        0,
        true,
        function.is("no-writes"),
        function.is("allow-oom"));
  }

  private @Nullable Function function(String wanted) {
    byte[] stored = notes.get(FUNCTION + wanted);
    return stored == null
        ? all().stream().filter(each -> each.name().equalsIgnoreCase(wanted)).findAny().orElse(null)
        : Function.of(wanted, stored);
  }

  /** A library, to be loaded. */
  private static Script library(String id, String name, byte[] source) {
    int body = body(source);
    byte[] whole = Arrays.copyOf(BEFORE, BEFORE.length + source.length - body + AFTER.length);
    System.arraycopy(source, body, whole, BEFORE.length, source.length - body);
    System.arraycopy(AFTER, 0, whole, whole.length - AFTER.length, AFTER.length);
    byte[][] first = {NOTHING};
    return new Script(Kind.FUNCTION, id, name, first, whole, 0, true, true, true);
  }

  /** Where Lua begins: after the first line. */
  private static int body(byte[] source) {
    int body = 0;
    while (body < source.length && source[body] != '\n') {
      body++;
    }
    return body;
  }

  /** The name in the first line of a source. */
  private static String name(byte[] source) {
    String line = Bytes.text(Arrays.copyOf(source, body(source)));
    if (!line.startsWith("#!")) {
      throw ReplyException.error("Missing library metadata");
    }
    String[] words = line.substring(2).strip().split("\\s+");
    String name = null;
    for (String word : List.of(words).subList(1, words.length)) {
      if (!word.regionMatches(true, 0, "name=", 0, 5)) {
        throw ReplyException.error("Invalid metadata value given: %s", word);
      }
      if (name != null) {
        throw ReplyException.error(
            "Invalid metadata value, name argument was given multiple times");
      }
      name = word.substring(5);
    }
    if (name == null) {
      throw ReplyException.error("Library name was not given");
    }
    if (!name.matches("\\w+")) {
      throw ReplyException.error(
          "Library names can only contain letters, numbers, or underscores(_) and must be at least"
              + " one character long");
    }
    if (!words[0].equalsIgnoreCase("lua")) {
      throw ReplyException.error("Engine '%s' not found", words[0]);
    }
    return name;
  }

  /**
   * Stores a library.
   *
   * @param replace one with this name, if there is one
   * @return its name
   */
  String load(byte[] source, boolean replace) {
    if (raw) {
      throw ReplyException.error("this server serves plain tables (--raw), without functions");
    }
    return load(source, replace, "Library '%s' already exists");
  }

  /** The same for a library of a dump, of which Redis speaks in other words. */
  void restore(byte[] source, boolean replace) {
    load(source, replace, "Library %s already exists");
  }

  private String load(byte[] source, boolean replace, String refusal) {
    String name = name(source);
    if (!replace && notes.get(LIBRARY + name) != null) {
      throw ReplyException.error(refusal, name);
    }
    Script library = library("f:" + Interpreter.sha1(source, 0), name, source);
    compile(library.id(), source);
    Object registered =
        ScriptCommands.result(call.with(NOTHING, NOTHING, NOTHING), scripts, library, 0, true);
    if (registered instanceof Failure failure) {
      throw new ReplyException(failure.text());
    }
    List<?> all = registered instanceof List<?> list ? list : List.of();
    if (all.isEmpty()) {
      throw ReplyException.error("No functions registered");
    }
    delete(name);
    for (Object each : all) {
      List<?> parts = (List<?>) each;
      Function function =
          new Function(
              text(parts.get(0)),
              text(parts.get(1)),
              library.id(),
              name,
              parts.size() > 2 && parts.get(2) != null ? text(parts.get(2)) : null);
      if (function(function.name()) != null) {
        throw ReplyException.error("Function %s already exists", function.name());
      }
      notes.put(FUNCTION + function.name(), function.stored());
    }
    notes.put(LIBRARY + name, source);
    scripts.add(library);
    return name;
  }

  private static String text(@Nullable Object bytes) {
    return Bytes.text((byte[]) Objects.requireNonNull(bytes));
  }

  /** Makes sure that a source is right by itself. */
  private void compile(String id, byte[] source) {
    Scripts.Machine machine = scripts.machine();
    try {
      machine.interpreter().load(Kind.FUNCTION, "source of " + id, source, body(source));
    } catch (ScriptException e) {
      throw ReplyException.error("Error compiling function: %s", e.text());
    } finally {
      scripts.release(machine);
    }
  }

  /** Removes a library; returns whether it was there. */
  boolean delete(String name) {
    boolean found = notes.get(LIBRARY + name) != null;
    if (found) {
      notes.remove(LIBRARY + name);
      for (Function each : all()) {
        if (each.library().equals(name)) {
          notes.remove(FUNCTION + each.name());
        }
      }
    }
    return found;
  }

  /** The sources of all libraries by name. */
  Map<String, byte[]> libraries() {
    return notes.all(LIBRARY);
  }

  /** All functions in the order of their names. */
  List<Function> all() {
    return notes.all(FUNCTION).entrySet().stream()
        .map(each -> Function.of(each.getKey(), each.getValue()))
        .toList();
  }
}
