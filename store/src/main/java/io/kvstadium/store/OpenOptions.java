package io.kvstadium.store;

import io.kvstadium.store.internal.Arguments;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What happens at open and close, whatever the engine. (The engine's options and the durability are
 * in the URL.)
 *
 * @param createIfMissing whether a missing store is created
 * @param errorIfExists whether an existing store is an error
 * @param readOnly whether nothing may be changed
 * @param listener is notified of what the store does, or {@code null}
 * @param required what the store must be able to do; see {@link #require}
 * @param record what to record of it, from the start, or {@code null} for what the URL says
 * @param moveTo the URL of the store to move to, or {@code null} for what the URL says; see {@link
 *     Move}
 */
public record OpenOptions(
    boolean createIfMissing,
    boolean errorIfExists,
    boolean readOnly,
    @Nullable StoreListener listener,
    Set<Capability> required,
    Recording.@Nullable Options record,
    @Nullable String moveTo) {

  /** Opens the store for reading and writing, and creates it if it is missing. */
  public static final OpenOptions DEFAULT =
      new OpenOptions(true, false, false, null, Set.of(), null, null);

  public OpenOptions {
    EnumSet<Capability> copy = EnumSet.noneOf(Capability.class);
    for (Capability capability : Arguments.given("OpenOptions", "set of capabilities", required)) {
      copy.add(Arguments.given("OpenOptions", "required capability", capability));
    }
    required = Collections.unmodifiableSet(copy);
  }

  /** Returns a copy with the given {@link #createIfMissing}. */
  public OpenOptions createIfMissing(boolean value) {
    return new OpenOptions(value, errorIfExists, readOnly, listener, required, record, moveTo);
  }

  /** Returns a copy with the given {@link #errorIfExists}. */
  public OpenOptions errorIfExists(boolean value) {
    return new OpenOptions(createIfMissing, value, readOnly, listener, required, record, moveTo);
  }

  /** Returns a copy with the given {@link #readOnly}. */
  public OpenOptions readOnly(boolean value) {
    return new OpenOptions(
        createIfMissing, errorIfExists, value, listener, required, record, moveTo);
  }

  /** Returns a copy with the given {@link #listener}. */
  public OpenOptions listener(StoreListener newListener) {
    return new OpenOptions(
        createIfMissing, errorIfExists, readOnly, newListener, required, record, moveTo);
  }

  /** Returns a copy that records all operations into this file; see {@link Recording}. */
  public OpenOptions record(Path file) {
    return record(Recording.Options.of(file));
  }

  /** Returns a copy with the given {@link #record}. */
  public OpenOptions record(Recording.Options options) {
    return new OpenOptions(
        createIfMissing,
        errorIfExists,
        readOnly,
        listener,
        required,
        Arguments.given("OpenOptions", "Recording.Options", options),
        moveTo);
  }

  /**
   * Returns a copy with which the store moves to another one while it is used. If it is moving
   * there already, the open goes on with that; if it has moved, the new store is opened.
   *
   * @param url an empty directory, or one that does not exist; without a durability it gets that of
   *     the old store
   */
  public OpenOptions moveTo(String url) {
    return new OpenOptions(
        createIfMissing,
        errorIfExists,
        readOnly,
        listener,
        required,
        record,
        Arguments.given("OpenOptions", "URL to move to", url));
  }

  /**
   * Requires these as well: a store that lacks one is not opened, and {@link UnsupportedException}
   * says what is missing and which engines have it. If the engine lacks one, the open is refused
   * before anything is created, removed or locked. If only this store lacks one, because of its
   * options, it is opened, refused and closed again.
   */
  public OpenOptions require(Capability... capabilities) {
    EnumSet<Capability> all = EnumSet.noneOf(Capability.class);
    all.addAll(required);
    for (Capability capability :
        Arguments.given("require", "array of capabilities", capabilities)) {
      all.add(Arguments.given("require", "capability", capability));
    }
    return new OpenOptions(createIfMissing, errorIfExists, readOnly, listener, all, record, moveTo);
  }
}
