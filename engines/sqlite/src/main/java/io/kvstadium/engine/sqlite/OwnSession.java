package io.kvstadium.engine.sqlite;

/**
 * For a cursor that is alone on its session: the session needs no lock, or is locked already.
 *
 * @param session leased for the cursor, or held by the cursor's transaction
 * @param atEnd called when the cursor is closed
 */
record OwnSession(Session session, AutoCloseable atEnd) implements SqliteCursor.Source {
  @Override
  public Session enter() {
    return session;
  }

  @Override
  public void exit(Session entered) {}

  @Override
  public void close() throws Exception {
    atEnd.close();
  }
}
