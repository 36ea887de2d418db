/**
 * Trials in other languages: programs that speak the protocol of docs/workers.md in place of {@link
 * io.kvstadium.bench.trial.TrialMain}. What runs them, and judges what they measured, is the same.
 */
@NullMarked
package io.kvstadium.bench.worker;

import org.jspecify.annotations.NullMarked;
