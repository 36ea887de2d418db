/**
 * The tests that every engine must pass, for engines of this project and of others.
 *
 * <p>An engine's module takes {@code kv-stadium-conformance} with scope {@code test} and extends
 * {@link io.kvstadium.conformance.EngineConformance} once, and {@link
 * io.kvstadium.conformance.VariantConformance} for each other way of opening the engine that is
 * worth testing:
 *
 * <pre>{@code
 * class MyEngineConformanceTest extends EngineConformance {
 *   @Override
 *   protected String url(Path directory) {
 *     return "myengine:" + directory;
 *   }
 * }
 * }</pre>
 *
 * <p>What is tested follows from what the opened store declares in {@link
 * io.kvstadium.store.Store#capabilities()} and {@link io.kvstadium.store.Store#engine()}: what is
 * declared must hold, what is not must be refused, and tests of what is not declared are reported
 * as skipped. Everything goes through the public interfaces of {@link io.kvstadium.store}, so
 * engine and library are tested together, as an application uses them.
 *
 * <p>The tests run on JUnit Jupiter, which this artifact depends on; a build should fail if it runs
 * none (Surefire's {@code failIfNoTests}). {@code stadium check} runs them without a build. The
 * kill tests start child processes with the class path and the virtual machine's flags of the test
 * run.
 *
 * <p>What tests do at random differs in each run; a failure names the seed that draws the same
 * again with {@code -Dstadium.seed}. {@code -Dstadium.multiplier} is a factor on how much they do.
 *
 * <p>The tag {@code full} is on tests that take long and seldom find more than the others; a build
 * may leave them out in its usual runs.
 *
 * <h2>Threads</h2>
 *
 * <p>Tests of one subclass must not run concurrently with each other.
 */
@NullMarked
package io.kvstadium.conformance;

import org.jspecify.annotations.NullMarked;
