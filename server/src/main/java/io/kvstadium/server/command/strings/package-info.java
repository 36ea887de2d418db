/** Commands on strings, their bits, and HyperLogLogs. */
@NullMarked
package io.kvstadium.server.command.strings;

import org.jspecify.annotations.NullMarked;
