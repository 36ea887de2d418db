package io.kvstadium.server.redis.script;

import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaValue;

/** A table that scripts cannot change. */
final class Protected extends Globals {
  private boolean locked;

  /** Sets an entry, whether locked or not. */
  void define(String name, LuaValue value) {
    super.rawset(LuaValue.valueOf(name), value);
  }

  void lock() {
    locked = true;
  }

  private void check() {
    if (locked) {
      throw new LuaError("Attempt to modify a readonly table");
    }
  }

  @Override
  public void rawset(int key, LuaValue value) {
    check();
    super.rawset(key, value);
  }

  @Override
  public void rawset(LuaValue key, LuaValue value) {
    check();
    super.rawset(key, value);
  }

  @Override
  public LuaValue setmetatable(LuaValue metatable) {
    check();
    return super.setmetatable(metatable);
  }
}
