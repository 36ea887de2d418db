/** Who may do what: users, their rules, and the log of what was denied. */
@NullMarked
package io.kvstadium.server.access;

import org.jspecify.annotations.NullMarked;
