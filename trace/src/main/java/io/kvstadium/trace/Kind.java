package io.kvstadium.trace;

/** A kind of operation, and the fields that it has. The order is that of the codes in the file. */
public enum Kind {
  GET(Field.KEY, Field.LENGTH),
  CONTAINS(Field.KEY),
  PUT(Field.KEY, Field.LENGTH),
  /** A put of a value that expires. */
  PUT_EXPIRING(Field.KEY, Field.LENGTH, Field.TTL),
  /** Sets when an entry expires. */
  EXPIRE(Field.KEY, Field.TTL),
  DELETE(Field.KEY),
  /** A put under a condition: {@link Outcome#MISS} if it did not hold. */
  PUT_IF(Field.KEY, Field.LENGTH),
  /** A delete under a condition. */
  DELETE_IF(Field.KEY),
  /** Count: entries read. Length: bytes read. */
  SCAN(Field.KEY, Field.RANGE, Field.COUNT, Field.LENGTH),
  /** Count: entries removed, if the engine tells. */
  DELETE_RANGE(Field.KEY, Field.RANGE, Field.COUNT),
  /**
   * The operations of this thread up to {@link #BATCH_END} are one call: an atomic batch, or, if
   * they are gets, a get of several keys, or a get and the put that follows it. They have no times
   * of their own.
   */
  BATCH,
  BATCH_END,
  /** The operations of this thread up to {@link #COMMIT} or {@link #ROLLBACK} are a transaction. */
  BEGIN,
  COMMIT,
  ROLLBACK,
  SYNC,
  /** The removal of all entries of a table. */
  CLEAR,
  /**
   * Not an operation: here {@code count} operations are missing, because the recorder dropped them
   * or a block is damaged; -1 if unknown, 0 if a recording begins anew. Open batches and
   * transactions may have no end.
   */
  LOST(Field.COUNT),
  /** Not an operation: a value of {@code length} bytes was compressed to {@code count} bytes. */
  COMPRESSED(Field.LENGTH, Field.COUNT),
  /** Not an operation: the value of the next one begins at this {@code count} of a file's bytes. */
  VALUE(Field.COUNT);

  private static final Kind[] KINDS = values();

  /** Fields beyond those that every operation has. */
  enum Field {
    KEY(1),
    RANGE(2),
    LENGTH(4),
    COUNT(8),
    TTL(16);

    private final int bit;

    Field(int bit) {
      this.bit = bit;
    }
  }

  private final int fields;

  Kind(Field... fields) {
    int bits = 0;
    for (Field field : fields) {
      bits |= field.bit;
    }
    this.fields = bits;
  }

  boolean has(Field field) {
    return (fields & field.bit) != 0;
  }

  /** Whether it reads one key. */
  public boolean reads() {
    return this == GET || this == CONTAINS;
  }

  /** Whether it writes or removes one key. */
  public boolean writes() {
    return has(Field.KEY) && !has(Field.RANGE) && !reads();
  }

  /** Whether it has a range of keys instead of one. */
  public boolean isRange() {
    return has(Field.RANGE);
  }

  /** Its code in the file. */
  @SuppressWarnings("EnumOrdinal") // the order is that of the codes
  public int code() {
    return ordinal();
  }

  /** The kind with this code. */
  public static Kind of(int code) {
    if (code >= KINDS.length) {
      throw new IllegalArgumentException("there is no operation with code " + code);
    }
    return KINDS[code];
  }
}
