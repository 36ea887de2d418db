/**
 * What the tests of several modules share: where their random numbers come from and how many they
 * draw, and how they say what the machine lacks.
 */
@NullMarked
package io.kvstadium.testsupport;

import org.jspecify.annotations.NullMarked;
