/** Commands on hashes. */
@NullMarked
package io.kvstadium.server.command.hashes;

import org.jspecify.annotations.NullMarked;
