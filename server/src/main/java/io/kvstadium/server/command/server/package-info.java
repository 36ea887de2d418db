/** Commands on connections, transactions, publishing and the server itself. */
@NullMarked
package io.kvstadium.server.command.server;

import org.jspecify.annotations.NullMarked;
