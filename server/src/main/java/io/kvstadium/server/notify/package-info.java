/** Who is told of what happens: subscribers, keyspace notifications, caching clients, monitors. */
@NullMarked
package io.kvstadium.server.notify;

import org.jspecify.annotations.NullMarked;
