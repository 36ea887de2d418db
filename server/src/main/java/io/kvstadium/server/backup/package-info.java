/** The backups of the served store, which both protocols make. */
@NullMarked
package io.kvstadium.server.backup;

import org.jspecify.annotations.NullMarked;
