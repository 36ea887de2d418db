/** Commands on keys whatever they hold: expiry, iteration, sorting, DUMP and RESTORE. */
@NullMarked
package io.kvstadium.server.command.keys;

import org.jspecify.annotations.NullMarked;
