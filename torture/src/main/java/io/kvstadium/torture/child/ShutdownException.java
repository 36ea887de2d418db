package io.kvstadium.torture.child;

import java.io.Serial;

/** This virtual machine is ending, and so are the processes that it watches: no evidence. */
public final class ShutdownException extends InterruptedException {
  @Serial private static final long serialVersionUID = 1;

  ShutdownException(IllegalStateException cause) {
    super("this virtual machine is ending");
    initCause(cause);
  }
}
