package io.kvstadium.cli.io;

/** A line on standard error that is rewritten while something runs, if that is a terminal. */
public final class StatusLine implements AutoCloseable {
  private final boolean terminal = UserTerminal.isError();
  private volatile boolean drawn;

  public StatusLine() {
    if (terminal) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::leave));
    }
  }

  /** After Ctrl-C the shell's prompt comes below the line. */
  private void leave() {
    if (drawn) {
      System.err.println();
    }
  }

  /** Whether {@link #draw} shows anything. */
  public boolean isShown() {
    return terminal;
  }

  /** Replaces the line. */
  public void draw(String text) {
    if (terminal) {
      System.err.print("\r" + Lines.cut(Escapes.shown(text), Lines.WIDTH - 1) + "\u001b[K");
      System.err.flush();
      drawn = true;
    }
  }

  /**
   * The same for something of which a share is done.
   *
   * @param secondsLeft negative if that is not known
   */
  public void draw(double done, double secondsLeft, String what) {
    String left = secondsLeft < 0 ? "" : ", " + Quantities.duration(secondsLeft) + " left";
    draw("%3.0f %%%s: %s".formatted(100 * done, left, what));
  }

  /**
   * The same for rounds, each of which takes about as long as another.
   *
   * @param all how many there will be; 0 if that is not known
   * @param began when the first did, as in {@link System#nanoTime}
   */
  public void draw(int done, int all, long began, String what) {
    if (all == 0) {
      draw(what);
      return;
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    draw((double) done / all, seconds / done * (all - done), what);
  }

  /** Prints a text that stays, above the line. */
  public void say(String text) {
    close();
    Lines.wrap("", text).forEach(System.err::println);
  }

  /** Removes the line. */
  @Override
  public void close() {
    if (drawn) {
      drawn = false;
      System.err.print("\r\u001b[K");
      System.err.flush();
    }
  }
}
