package io.kvstadium.store;

final class Opener {
  private Opener() {}

  static Store open(String url, OpenOptions options, Engines engines) {
    throw new IllegalStateException();
  }

  static void destroy(String url, Engines engines) {
    throw new IllegalStateException();
  }
}
