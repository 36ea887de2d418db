package io.kvstadium.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts get, what they cannot do, and that no script harms the next, or the process. */
final class InterpreterTest {
  private static final long MEMORY = 32 << 20;

  private final Scripts scripts = new Scripts(MEMORY);

  @AfterEach
  void close() {
    scripts.close();
  }

  @Test
  void anEmptyMatchGoesOn() {
    assertThat(
            scripts.run(
                "local r = {} for w in string.gmatch(ARGV[1], '[^,]*') do r[#r + 1] = w end return"
                    + " r",
                "a,b"))
        .isEqualTo(List.of("a", "", "b", ""));
  }

  @Test
  void textIsBytes() {
    assertThat(
            scripts.run(
                "return {ARGV[1]:upper(), ARGV[1]:lower(), #ARGV[1]}",
                "Stra\u00c3\u009fe\u0080\u00ff"))
        .isEqualTo(List.of("STRA\u00c3\u009fE\u0080\u00ff", "stra\u00c3\u009fe\u0080\u00ff", 9L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '"',
      textBlock =
          """
          return tostring(tonumber('-'))                                       ¦ nil
          return tostring(tonumber('0x'))                                      ¦ nil
          return tostring(tonumber('\\t12\\n'))                                ¦ 12
          return tostring(tonumber('-0x10'))                                   ¦ -16
          return tostring(tonumber('0x.8'))                                    ¦ 0.5
          return tostring(1700000000.123)                                      ¦ 1700000000.123
          return ('THE (quick) fox'):gsub('%f[%a]%a+', 'x')                    ¦ x (x) x
          return select(2, ('!"#$%&\\'()*+,-./:;<=>?@[\\\\]^_`{|}~'):gsub('%p', '')) ¦ 32
          return select(2, (' \\t\\n\\11\\12\\r'):gsub('%s', ''))              ¦ 6
          return tostring(pcall(string.find, 'a', '[a'))                       ¦ false
          return tostring(('a'):gsub('a', '%'))                                ¦ "\0"
          return select('#', unpack({}, 1, 7997))                              ¦ 7997
          return tostring(pcall(unpack, {}, 1, 7998))                          ¦ false
          return select('#', pcall(function() end))                            ¦ 1
          return select('#', loadstring('return 1'))                           ¦ 1
          return bit.tobit(1e16)                                               ¦ 937459712
          """)
  void aLibraryIsLuas(String script, String result) {
    assertThat(String.valueOf(scripts.run(script))).isEqualTo(result.equals("\\0") ? "\0" : result);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x = 1",
        "_G.x = 1",
        "rawset(_G, 'x', 1)",
        "string.format = 1",
        "rawset(string, 'format', 1)",
        "table.insert(string, 1)",
        "redis.call = 1",
        "getmetatable('').__index = 1",
        "getmetatable('').__index.format = 1",
        "getmetatable(_G).__index = nil",
        "setmetatable(_G, {})",
        "setmetatable(math, nil)",
        "coroutine.wrap(function() y = 1 end)()",
        "loadstring('z = 1')()",
        "for k, v in pairs(_G) do if type(v) == 'table' and k ~= 'KEYS' and k ~= 'ARGV' then v.x = 1"
            + " end end"
      })
  void sharedTablesCannotBeChanged(String script) {
    assertThatThrownBy(() -> scripts.run(script))
        .isInstanceOfSatisfying(
            ScriptException.class, e -> assertThat(e.text()).contains("readonly table"));
    assertThat(
            scripts.run(
                "return {tostring(rawget(_G, 'x')), type(string.format), type(redis.call),"
                    + " ('x'):upper()}"))
        .isEqualTo(List.of("nil", "function", "function", "X"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "os",
        "io",
        "debug",
        "package",
        "require",
        "dofile",
        "loadfile",
        "newproxy",
        "getfenv",
        "setfenv",
        "module",
        "print",
        "java",
        "luajava"
      })
  void whatIsNotForScriptsIsNotThere(String name) {
    assertThat(scripts.run("return tostring(rawget(_G, ARGV[1]))", name)).isEqualTo("nil");
    assertThatThrownBy(() -> scripts.run("return " + name))
        .isInstanceOfSatisfying(
            ScriptException.class, e -> assertThat(e.text()).contains("nonexistent global"));
  }

  @Test
  void bytecodeIsNotLoaded() {
    // given
    String dumped = "string.dump(function() return 1 end)";

    // when, then
    assertThat(
            scripts.run(
                "local piece = %1$s return {tostring(loadstring(%1$s)), tostring(load(function() local p = piece piece = nil return p end))}"
                    .formatted(dumped)))
        .isEqualTo(List.of("nil", "nil"));
    assertThatThrownBy(() -> scripts.run("\u001bLua return 1")).isInstanceOf(ScriptException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = string.rep('x', 100000) .. #t end",
        "local t = {} while true do t[#t + 1] = {} end",
        "local t = {} for i = 1, 1e9 do t[i] = i end",
        "local t = {} while true do t[{}] = function() return t end end",
        "return string.rep('x', 1e10)",
        "return ('x'):rep(1000):gsub('x', ('y'):rep(100000))",
        "local s = ('x'):rep(1e6) return table.concat({s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s,"
            + " s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s})",
        "local t = {} while true do t[#t + 1] = redis.call('get') end",
        "local t = {} while true do t[#t + 1] = cjson.decode(cjson.encode({('x'):rep(1e5) .. #t}))"
            + " end",
        "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
        "collectgarbage('stop') while true do local t = {} t[1] = ('x'):rep(10) .. #t end",
        "local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end"
      })
  void memoryIsBounded(String script) {
    // given
    scripts.replying("$1000\r\n" + "x".repeat(1000) + "\r\n").endingAfter(50_000);

    // when
    Throwable error = catchThrowable(() -> scripts.run(script));

    // then
    assertThat(error).isInstanceOfAny(ScriptException.class, Scripts.Killed.class);
    assertThat(scripts.run("return #string.rep('x', 1e6)")).isEqualTo(1_000_000L);
    assertThat(scripts.interpreter().used()).isLessThan(MEMORY);
  }

  @Test
  void whatScriptsTakeTogetherIsBoundedToo() {
    AtomicLong taken = new AtomicLong();
    MemoryPool pool =
        new MemoryPool() {
          @Override
          public boolean reserve(long bytes) {
            boolean fits = taken.addAndGet(bytes) <= MEMORY / 2;
            taken.addAndGet(fits ? 0 : -bytes);
            return fits;
          }

          @Override
          public void changed(long bytes) {
            taken.addAndGet(bytes);
          }
        };
    try (Scripts one = new Scripts(MEMORY, pool)) {
      Throwable error =
          catchThrowable(() -> one.run("local t = {} while true do t[#t + 1] = {#t} end"));
      assertThat(error).isInstanceOf(ScriptException.class);
      assertThat(taken.get()).isLessThanOrEqualTo(MEMORY / 4);

      taken.addAndGet(MEMORY / 2);
      error = catchThrowable(() -> one.run("return #string.rep('x', 4e6)"));
      assertThat(error).isInstanceOf(ScriptException.class);
      taken.addAndGet(-MEMORY / 2);

      assertThat(one.run("return #string.rep('x', 4e6)")).isEqualTo(4_000_000L);
    }
    assertThat(taken).hasValue(0);
  }

  @Test
  void garbageDoesNotCount() {
    assertThat(
            scripts.run(
                "for i = 1, 300 do local s = string.rep('x', 1e6) .. i end for i = 1, 100000 do"
                    + " local t = {i, {i}} end return 1"))
        .isEqualTo(1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "while true do coroutine.wrap(function() while true do end end)() end",
        "local function f() return pcall(f) and f() end while true do f() end",
        "return ('x'):gsub('x', function() while true do end end)",
        "table.sort({1, 2, 3}, function() while true do end end)",
        "return tostring(setmetatable({}, {__tostring = function() while true do end end}))",
        "while true do redis.pcall('get') end",
        "while true do pcall(cjson.decode, '{') end",
        "local function f() return f() end f()",
        "xpcall(function() error() end, function() while true do end end)",
        "while true do pcall(error) end"
      })
  void whatLoopsCanBeEnded(String script) {
    assertThatThrownBy(() -> scripts.replying("-ERR no\r\n").endingAfter(20).run(script))
        .isInstanceOf(Scripts.Killed.class);

    assertThat(scripts.endingAfter(1_000).run("return 1")).isEqualTo(1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local function f(n) return f(n + 1) + 1 end f(1)",
        "local function f() return (pcall(f)) and 1 end return f()",
        "local function f() return coroutine.wrap(f)() + 1 end f()",
        "local function f(s) return (s:gsub('.', f)) end return f('a')",
        "local function f(s) return (s:gsub('.', function(c) return f(c) end)) end return f('a')",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k + 1] end"
            + " return t[1]",
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = tostring return tostring(t)",
        "return string.find(string.rep('a', 300000), string.rep('a?', 300000))",
        "return string.match(string.rep('a', 300000), '^' .. string.rep('a-', 300000) .. '$')",
        "return string.gsub('x', string.rep('(', 300000), '')",
        "return unpack({}, 1, 1e7)",
        "return unpack({}, -2147483648, 2147483647)",
        "return string.format('%99999d', 1)",
        "return string.format('%.99f', 1e308):rep(2):len() + nil",
        "return loadstring(string.rep('(', 100000))()",
        "return loadstring('return ' .. string.rep('{', 100000))()",
        "return loadstring('local ' .. string.rep('a,', 300) .. 'a = 1')()",
        "return table.concat({{}}, 'x')",
        "return cjson.decode(string.rep('[', 100000))",
        "local t = {} t[1] = t return cjson.encode(t)",
        "return cmsgpack.unpack(string.rep('\\145', 100000))",
        "return cmsgpack.unpack('\\221\\255\\255\\255\\255')",
        "return cmsgpack.unpack('\\129\\192\\1')",
        "return struct.unpack('c0', 'x')",
        "return struct.pack('i999999999999', 1)",
        "local t = {} for i = 1, 2000 do t = {t} end return t",
        "error(setmetatable({}, {__tostring = function() error('again') end}))",
        "error({})",
        "error()",
        "table.sort({3, 1, 2, 5, 4, 7, 6}, function() return true end)",
        "return coroutine.wrap(function() return coroutine.yield(coroutine.running()) end)().x",
        "local function f("
            + "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,"
            + "...) end f()"
      })
  void whatGoesTooFarIsAnError(String script) {
    try {
      scripts.endingAfter(100_000).run(script);
    } catch (ScriptException e) {
      assertThat(e.text()).isNotEmpty();
    }

    assertThat(scripts.run("return redis.call('x').ok")).isEqualTo("OK");
  }

  @Test
  void parametersOfFunctionsWithAnyNumberMoreHaveRoom() {
    // given: a stack of each depth, as full as can be
    String script =
        "local function f("
            + "a,".repeat(30)
            + "...) return select('#', ...) end local n = 0"
            + " for depth = 1, 300 do n = n + coroutine.wrap(function() local function r(k) if k == 0"
            + " then return f() end return r(k - 1) + 0 end return r(depth) end)() end return n";

    assertThat(scripts.run(script)).isEqualTo(0L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return cjson.decode('[')",
        "return string.find('abc', '[a')",
        "return string.match(#KEYS == 0 and 'abc' or '', '[a', 1)",
        "return string.gmatch('abc')",
        "return string.gsub('abc', '%', 'x')",
        "return string.gsub('abc', '[', {})",
        "return ('abc'):find('[a')",
        "return ARGV[1]:match('%')",
        "return setmetatable(1, {})",
        "return table.insert(1, 2)",
        "return rawget(1, 2)",
        "return (function() return string.find('abc', '[a') end)()"
      })
  void anErrorNamesTheLineAlsoInATailCall(String script) {
    assertThatThrownBy(() -> scripts.run("\n\n" + script, "a"))
        .isInstanceOfSatisfying(
            ScriptException.class,
            e -> assertThat(e.text()).startsWith("ERR user_script:3: ").endsWith("user_script:3."));
  }

  @Test
  void tailCallsDoNotEndInAnOverflow() {
    assertThat(
            scripts.run(
                "local o = {} function o:match(n) if n == 0 then return 'end' end"
                    + " return self:match(n - 1) end return o:match(100000)"))
        .isEqualTo("end");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[%\\0a]", "[\\0a]", "%\\0", "[a"})
  void anErrorInAPatternNamesTheLine(String pattern) {
    assertThat(
            scripts.run(
                "return select(2, pcall(function()\n local at = string.find('a', '"
                    + pattern
                    + "') return at end))"))
        .asString()
        .startsWith("user_script:2: malformed pattern");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "struct.unpack('>L', '\\128\\0\\0\\0\\0\\0\\4\\1')",
        "cmsgpack.unpack('\\207\\128\\0\\0\\0\\0\\0\\4\\1')"
      })
  void largeIntegersAreRoundedOnce(String expression) {
    assertThat(scripts.run("return string.format('%.0f', (" + expression + "))"))
        .isEqualTo("9223372036854777856");
  }

  @Test
  void ofATruncatedMapTheMissingValueIsTheErrorNotItsKey() {
    assertThat(scripts.run("return select(2, pcall(cmsgpack.unpack, '\\129\\192\\178'))"))
        .asString()
        .contains("Missing bytes");
  }

  @Test
  void functionsGoOnAfterTheirErrors() {
    assertThat(
            scripts
                .replying("-ERR no\r\n")
                .run(
                    "local n = 0 for i = 1, 1000 do if not pcall(redis.call, 'x') then n = n + 1 end"
                        + " local co = coroutine.wrap(function() return pcall(cjson.decode, '[') end)"
                        + " if not co() then n = n + 1 end end return n"))
        .isEqualTo(2_000L);
  }

  @Test
  void scriptsStayCompiledWithinAPartOfTheMemory() {
    // given
    String padding = "--" + "x".repeat(100_000);

    // when
    for (int i = 0; i < 100; i++) {
      assertThat(scripts.run("return " + i + padding)).isEqualTo((long) i);
    }

    // then
    assertThat(scripts.interpreter().names()).hasSizeBetween(2, 40);
    assertThat(scripts.interpreter().used()).isLessThan(MEMORY / 4);
  }

  @Test
  void nothingIsLeftOfAScript() {
    // given
    String script =
        "local t = {} for i = 1, 1000 do t[i] = {tostring(i)} end for i = 1, 10 do pcall(redis.call,"
            + " {}) pcall(cjson.new().decode, '[') end return #t";
    scripts.run(script);
    long before = scripts.interpreter().used();

    // when
    for (int i = 0; i < 2_000; i++) {
      scripts.run(script);
    }

    // then: garbage of a few runs at most
    assertThat(scripts.interpreter().used()).isLessThan(before + (8 << 20));
  }

  @Test
  void settingsOfCjsonEndWithTheScript() {
    scripts.run("cjson.encode_max_depth(1) cjson.decode_invalid_numbers(false)");

    assertThat(scripts.run("return cjson.encode({{{1}}})")).isEqualTo("[[[1]]]");
  }
}
