package io.kvstadium.lua;

/** Ends a function that a script called: an error in Lua, which the script may catch. */
final class LuaError extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** How the error looks to the script. */
  enum Kind {
    /** A text, before which Lua puts where the script was. */
    TEXT,
    /** A table, as the functions of {@code redis} throw it. */
    TABLE,
    /** What is on top of the stack. */
    TOP
  }

  private final Kind kind;

  LuaError(String message) {
    this(message, Kind.TEXT);
  }

  LuaError(String message, Kind kind) {
    super(message, null, false, false);
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
