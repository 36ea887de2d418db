/** What the library shares with its own modules, and with nobody else. */
@NullMarked
package io.kvstadium.store.internal;

import org.jspecify.annotations.NullMarked;
