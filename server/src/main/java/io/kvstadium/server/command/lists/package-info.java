/** Commands on lists, and those that wait for an element. */
@NullMarked
package io.kvstadium.server.command.lists;

import org.jspecify.annotations.NullMarked;
