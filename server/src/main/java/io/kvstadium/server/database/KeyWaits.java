package io.kvstadium.server.database;

/** Requests that wait for keys. Used by the thread that has the turn to write. */
public interface KeyWaits {
  /** Nobody waits. */
  KeyWaits NONE =
      new KeyWaits() {
        @Override
        public void touched(int place, byte[] key) {}

        @Override
        public void cleared(int place) {}

        @Override
        public void swaps() {}

        @Override
        public void swapped(int one, int place, int other, int otherPlace) {}
      };

  /** A key has changed in the database in the table with a number. */
  void touched(int place, byte[] key);

  /** All keys of the database in the table with a number are gone. */
  void cleared(int place);

  /** Databases may have changed places: from now on tables and numbers may differ. */
  void swaps();

  /**
   * Two databases have changed places.
   *
   * @param place the number of the table of database {@code one} from now on
   * @param otherPlace that of {@code other}
   */
  void swapped(int one, int place, int other, int otherPlace);
}
