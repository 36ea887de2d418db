package io.kvstadium.lua;

/** A function in Java that scripts call. */
@FunctionalInterface
interface Function {
  /**
   * Its arguments are all that is on the stack.
   *
   * @return the number of its results, which are on top
   * @throws LuaError for an error in Lua
   */
  int call(Stack stack);
}
