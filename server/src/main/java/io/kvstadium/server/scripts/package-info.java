/** EVAL and its relatives: runs Lua with the commands as functions. */
@NullMarked
package io.kvstadium.server.scripts;

import org.jspecify.annotations.NullMarked;
