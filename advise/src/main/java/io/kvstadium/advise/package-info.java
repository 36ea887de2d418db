/**
 * Says which engine to take, with which settings, for a workload: by trials of small parts of it at
 * first, and of all of it for the last few.
 */
@NullMarked
package io.kvstadium.advise;

import org.jspecify.annotations.NullMarked;
