/** Commands on sets. */
@NullMarked
package io.kvstadium.server.command.sets;

import org.jspecify.annotations.NullMarked;
