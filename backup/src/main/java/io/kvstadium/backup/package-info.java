/**
 * Backups of stores: {@link io.kvstadium.backup.Backups}. A directory has any number of backups of
 * one store, and stores once what they share.
 */
@NullMarked
package io.kvstadium.backup;

import org.jspecify.annotations.NullMarked;
