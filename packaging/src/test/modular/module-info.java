module app {
  requires io.kvstadium.store;
}
