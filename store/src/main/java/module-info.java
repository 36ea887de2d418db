/**
 * One small access library over every engine. An application requires this module and puts engines
 * onto its module path; they are found automatically.
 */
@SuppressWarnings("module") // modules that are built after this one
module io.kvstadium.store {
  requires static transitive org.jspecify;

  exports io.kvstadium.store;
  exports io.kvstadium.store.codec;
  exports io.kvstadium.store.engine;
  exports io.kvstadium.store.engine.declare;
  exports io.kvstadium.store.engine.help;
  exports io.kvstadium.store.record;
  exports io.kvstadium.store.internal to
      io.kvstadium.backup,
      io.kvstadium.bench,
      io.kvstadium.cli,
      io.kvstadium.conformance,
      io.kvstadium.torture,
      io.kvstadium.transfer;
  exports io.kvstadium.store.internal.move to
      io.kvstadium.cli;
  exports io.kvstadium.store.internal.open to
      io.kvstadium.backup,
      io.kvstadium.bench,
      io.kvstadium.browse,
      io.kvstadium.cli,
      io.kvstadium.conformance,
      io.kvstadium.server,
      io.kvstadium.transfer;

  uses io.kvstadium.store.engine.Engine;
  uses io.kvstadium.store.record.RecorderProvider;
}
