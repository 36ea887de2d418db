package io.kvstadium.store;

/**
 * What is to happen at open and close, whatever the engine. (Options of the engine, and the
 * durability, stand in the URL.)
 *
 * @param createIfMissing whether a store that is not there is made
 * @param errorIfExists whether a store that is there is an error
 * @param destroyFirst whether a store that is there is removed before
 * @param readOnly whether nothing may be changed
 * @param compactOnClose whether {@link Store#close} compacts before it closes
 */
public record OpenOptions(
    boolean createIfMissing,
    boolean errorIfExists,
    boolean destroyFirst,
    boolean readOnly,
    boolean compactOnClose) {

  /** Creates what is missing and opens what is there, for reading and writing. */
  public static final OpenOptions DEFAULT = new OpenOptions(true, false, false, false, false);

  /** With {@link #createIfMissing} as given. */
  public OpenOptions createIfMissing(boolean value) {
    return new OpenOptions(value, errorIfExists, destroyFirst, readOnly, compactOnClose);
  }

  /** With {@link #errorIfExists} as given. */
  public OpenOptions errorIfExists(boolean value) {
    return new OpenOptions(createIfMissing, value, destroyFirst, readOnly, compactOnClose);
  }

  /** With {@link #destroyFirst} as given. */
  public OpenOptions destroyFirst(boolean value) {
    return new OpenOptions(createIfMissing, errorIfExists, value, readOnly, compactOnClose);
  }

  /** With {@link #readOnly} as given. */
  public OpenOptions readOnly(boolean value) {
    return new OpenOptions(createIfMissing, errorIfExists, destroyFirst, value, compactOnClose);
  }

  /** With {@link #compactOnClose} as given. */
  public OpenOptions compactOnClose(boolean value) {
    return new OpenOptions(createIfMissing, errorIfExists, destroyFirst, readOnly, value);
  }
}
