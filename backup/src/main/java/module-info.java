/** Backups of a store in one directory, and reading a whole store for damage. */
module io.kvstadium.backup {
  requires transitive io.kvstadium.store;
  requires transitive io.kvstadium.transfer;

  exports io.kvstadium.backup;
}
