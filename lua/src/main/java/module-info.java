/** Lua 5.1 with the libraries that Redis adds to it. */
@SuppressWarnings("module") // modules that are built after this one
module io.kvstadium.lua {
  requires static org.jspecify;

  exports io.kvstadium.lua to
      io.kvstadium.server;
}
