/**
 * For the tests of applications: {@link io.kvstadium.testing.CrashTest} kills them and cuts the
 * power, {@link io.kvstadium.testing.StoreFaults} lets calls of a store fail or take long.
 */
@NullMarked
package io.kvstadium.testing;

import org.jspecify.annotations.NullMarked;
