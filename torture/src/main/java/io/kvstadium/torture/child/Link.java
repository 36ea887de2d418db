package io.kvstadium.torture.child;

import java.io.IOException;
import java.util.function.Consumer;

/** How a child is spoken to. */
interface Link {
  /** Passes on what it reports, until it ends; on a thread of its own. */
  void listen(Process process, Consumer<Message> heard) throws IOException;

  /** Asks it to close the store and end. */
  void askToClose(Process process);

  /** Tells it that its full disk has space again. */
  void askToResume(Process process);
}
