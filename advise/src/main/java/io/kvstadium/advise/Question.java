package io.kvstadium.advise;

import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * What advice is wanted on, and what it is measured with.
 *
 * @param level of all trials
 * @param elapsed seconds since the start
 * @param progress is told what is done
 */
record Question(
    Workload workload,
    Engines engines,
    Durability level,
    Needs needs,
    TrialRunner runner,
    DoubleSupplier elapsed,
    Consumer<String> progress) {}
