/**
 * Lua 5.1 itself, as a sandbox with the libraries that Redis gives to scripts: {@link
 * io.kvstadium.lua.Interpreter}. It knows no server: what scripts ask for is a {@link
 * io.kvstadium.lua.Host}'s.
 *
 * <p>An interpreter belongs to one thread at a time. See {@code
 * docs/internals/adr/0035-scripts-on-lua-itself.md}.
 */
@NullMarked
package io.kvstadium.lua;

import org.jspecify.annotations.NullMarked;
