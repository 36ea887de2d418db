/**
 * Trials in other languages: programs that play traces, see docs/internals/player-protocol.md,
 * instead of {@link io.kvstadium.bench.trial.TrialMain}. What plans, compares and reports is the
 * same.
 */
@NullMarked
package io.kvstadium.bench.player;

import org.jspecify.annotations.NullMarked;
