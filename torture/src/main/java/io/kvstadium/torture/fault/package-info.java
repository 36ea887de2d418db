/**
 * What is done to a store: each kind of fault has a {@link
 * io.kvstadium.torture.fault.FaultInjector}.
 */
@NullMarked
package io.kvstadium.torture.fault;

import org.jspecify.annotations.NullMarked;
