/** What h2 and mvstore have in common. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // named in its jar
module io.kvstadium.engine.h2file {
  requires transitive io.kvstadium.store;
  requires transitive com.h2database;

  exports io.kvstadium.engine.h2file; // to H2 too, which makes its files by reflection
}
