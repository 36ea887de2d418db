package io.kvstadium.engine.mysql;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.ByteBuffer;

/** A process that opens a store, writes, says so, and holds it until it is killed. */
final class Holder {
  private Holder() {}

  static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  /** Takes the URL and the number of entries. */
  public static void main(String[] args) throws Exception {
    Store store = Stadium.open(args[0]);
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      store.table().put(key(i), key(i));
    }
    System.out.write('.');
    System.out.flush();
    System.in.read();
    throw new IllegalStateException("it should have been killed");
  }
}
