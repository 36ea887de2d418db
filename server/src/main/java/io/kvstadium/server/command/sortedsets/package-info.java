/** Commands on sorted sets, and on places kept in them. */
@NullMarked
package io.kvstadium.server.command.sortedsets;

import org.jspecify.annotations.NullMarked;
