/**
 * One small access library over every engine. An application requires this module and puts engines
 * onto its module path; they are found automatically.
 */
module io.kvstadium.store {
  requires static transitive org.jspecify;

  exports io.kvstadium.store;
  exports io.kvstadium.store.spi;

  uses io.kvstadium.store.spi.Engine;
}
