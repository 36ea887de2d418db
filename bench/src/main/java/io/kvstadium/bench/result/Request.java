package io.kvstadium.bench.result;

import io.kvstadium.bench.suite.Suite;
import org.jspecify.annotations.Nullable;

/**
 * What a user asked for. The run's plan follows from it, so that an interrupted run can be resumed.
 *
 * @param suite as the suite file and the command line have it
 * @param settings what was changed in it, and where the results go
 * @param engineFolders of engines, or {@code null} if they were on the class path
 */
public record Request(Suite suite, Settings settings, @Nullable String engineFolders) {}
