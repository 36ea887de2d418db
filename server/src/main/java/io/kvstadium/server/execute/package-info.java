/**
 * How requests of many connections reach a store. Work that writes waits in one queue; everything
 * pending there becomes one {@link io.kvstadium.server.execute.CommitGroup}, which one thread
 * executes in order and writes as one batch. Work that only reads is executed by several threads at
 * once.
 *
 * <p>So each task is atomic and isolated on every engine that has atomic batches, whatever
 * transactions the engine has, and many connections share one batch and one sync.
 */
@NullMarked
package io.kvstadium.server.execute;

import org.jspecify.annotations.NullMarked;
