/** Values in Redis' own form, as DUMP and its files have them. */
@NullMarked
package io.kvstadium.server.dump;

import org.jspecify.annotations.NullMarked;
