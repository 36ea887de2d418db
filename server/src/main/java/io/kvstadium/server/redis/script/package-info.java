/**
 * Lua 5.1 as Redis has it, on LuaJ: an interpreter without access to anything but what a {@link
 * io.kvstadium.server.redis.script.Host} does for it. An interpreter belongs to one thread at a
 * time.
 */
@NullMarked
package io.kvstadium.server.redis.script;

import org.jspecify.annotations.NullMarked;
