/** Commands on streams and their consumer groups. */
@NullMarked
package io.kvstadium.server.command.streams;

import org.jspecify.annotations.NullMarked;
