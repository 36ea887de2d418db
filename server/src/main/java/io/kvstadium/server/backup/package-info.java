/** The backups of the store that is served, which both protocols make. */
@NullMarked
package io.kvstadium.server.backup;

import org.jspecify.annotations.NullMarked;
