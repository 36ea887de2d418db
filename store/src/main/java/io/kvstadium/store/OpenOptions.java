package io.kvstadium.store;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to happen at open and close, whatever the engine. (Options of the engine, and the
 * durability, stand in the URL.)
 *
 * @param createIfMissing whether a store that is not there is made
 * @param errorIfExists whether a store that is there is an error
 * @param destroyFirst whether a store that is there is removed before
 * @param readOnly whether nothing may be changed
 * @param compactOnClose whether {@link Store#close} compacts before it closes, if the engine does
 *     that on request
 * @param listener is told what the store does, or {@code null}
 * @param required what the store must be able to do; see {@link #require}
 */
public record OpenOptions(
    boolean createIfMissing,
    boolean errorIfExists,
    boolean destroyFirst,
    boolean readOnly,
    boolean compactOnClose,
    @Nullable StoreListener listener,
    Set<Capability> required) {

  /** Creates what is missing and opens what is there, for reading and writing. */
  public static final OpenOptions DEFAULT =
      new OpenOptions(true, false, false, false, false, null, Set.of());

  public OpenOptions {
    EnumSet<Capability> copy = EnumSet.noneOf(Capability.class);
    for (Capability capability : Arguments.given("OpenOptions", "set of capabilities", required)) {
      copy.add(Arguments.given("OpenOptions", "required capability", capability));
    }
    required = Collections.unmodifiableSet(copy);
  }

  /** With {@link #createIfMissing} as given. */
  public OpenOptions createIfMissing(boolean value) {
    return new OpenOptions(
        value, errorIfExists, destroyFirst, readOnly, compactOnClose, listener, required);
  }

  /** With {@link #errorIfExists} as given. */
  public OpenOptions errorIfExists(boolean value) {
    return new OpenOptions(
        createIfMissing, value, destroyFirst, readOnly, compactOnClose, listener, required);
  }

  /** With {@link #destroyFirst} as given. */
  public OpenOptions destroyFirst(boolean value) {
    return new OpenOptions(
        createIfMissing, errorIfExists, value, readOnly, compactOnClose, listener, required);
  }

  /** With {@link #readOnly} as given. */
  public OpenOptions readOnly(boolean value) {
    return new OpenOptions(
        createIfMissing, errorIfExists, destroyFirst, value, compactOnClose, listener, required);
  }

  /** With {@link #compactOnClose} as given. */
  public OpenOptions compactOnClose(boolean value) {
    return new OpenOptions(
        createIfMissing, errorIfExists, destroyFirst, readOnly, value, listener, required);
  }

  /** With {@link #listener} as given. */
  public OpenOptions listener(StoreListener newListener) {
    return new OpenOptions(
        createIfMissing,
        errorIfExists,
        destroyFirst,
        readOnly,
        compactOnClose,
        newListener,
        required);
  }

  /**
   * Requires these as well: a store that lacks one is not opened, and {@link UnsupportedException}
   * says what is missing and which engines have it. What the engine lacks is refused before
   * anything is made, removed or locked; what only this store lacks, because of its options, when
   * it has been opened, and it is closed again.
   */
  public OpenOptions require(Capability... capabilities) {
    EnumSet<Capability> all = EnumSet.noneOf(Capability.class);
    all.addAll(required);
    for (Capability capability :
        Arguments.given("require", "array of capabilities", capabilities)) {
      all.add(Arguments.given("require", "capability", capability));
    }
    return new OpenOptions(
        createIfMissing, errorIfExists, destroyFirst, readOnly, compactOnClose, listener, all);
  }
}
