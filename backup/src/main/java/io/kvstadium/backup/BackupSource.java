package io.kvstadium.backup;

import io.kvstadium.store.engine.BackupTarget;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A store to back up.
 *
 * @param store what tells it from all other stores, or {@code null} if nothing but its place does
 * @param directory the store's directory, or {@code null} if it has none
 * @param options the options that it needs when it is opened again, without secrets
 * @param filling copies it and returns the number of its entries if it gave entries, or -1 if it
 *     gave files
 */
record BackupSource(
    String engine,
    String version,
    @Nullable String store,
    @Nullable Path directory,
    Map<String, String> options,
    ToLongFunction<BackupTarget> filling) {}
