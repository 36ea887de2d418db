package io.kvstadium.server.backup;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where backups requested by clients go.
 *
 * @param directory {@code null} if none are made
 * @param keep how many stay when a new one is made
 * @param maxRate the most bytes that are copied per second
 */
public record BackupOptions(@Nullable Path directory, int keep, long maxRate) {}
