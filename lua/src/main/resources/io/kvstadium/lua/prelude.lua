-- What every script finds. Loaded without its line numbers, so that an error in a function of C that is called from
-- here does not name a place in this file. See Interpreter.java, and docs/internals/adr/0035-scripts-on-lua-itself.md.

-- raw: functions in Java by name, which return true and their results, or false and an error
-- names: those that scripts get; raise: lua_error; version: of Redis
local raw, names, raise, version, versionNumber, null = ...

local type, error, select, tostring, tonumber, ipairs = type, error, select, tostring, tonumber, ipairs
local getinfo, yield, wrap = debug.getinfo, coroutine.yield, coroutine.wrap
local C = {pcall = pcall, setmetatable = setmetatable, rawset = rawset, rawget = rawget, next = next, pairs = pairs,
  xpcall = xpcall, load = load, loadstring = loadstring, collectgarbage = collectgarbage, insert = table.insert, foreach = table.foreach,
  foreachi = table.foreachi, find = string.find, match = string.match, gmatch = string.gmatch, gsub = string.gsub,
  byte = string.byte, dump = string.dump, concat = table.concat}

-- Tables that scripts cannot change: empty ones in front of the real ones.

local hidden = {}

local READONLY = 'Attempt to modify a readonly table'

local function refuse()
  error(READONLY, 2)
end

local function protect(real, metatable)
  local front = {}
  hidden[front] = real
  return C.setmetatable(front, {__index = real, __newindex = refuse, __metatable = metatable or false})
end

-- An error of a function of C, as if it had been called by the function's caller.
local function again(name, message, level)
  if type(message) == 'string' then
    message = C.gsub(message, "'%?'", "'" .. name .. "'", 1)
  end
  error(message, level)
end

local function finish(name, ok, ...)
  if ok then
    return ...
  end
  again(name, (...), 5) -- of again, finish, two tail calls, and the caller
end

local function proper(name, ...)
  return finish(name, C.pcall(C[name], ...))
end

local base = {}
for name in C.gmatch('assert error gcinfo getmetatable ipairs rawequal select tonumber tostring type', '%a+') do
  base[name] = _G[name]
end
base._VERSION = _VERSION

function base.setmetatable(...)
  if hidden[(...)] then
    raise(READONLY)
  end
  return proper('setmetatable', ...)
end

function base.rawset(...)
  if hidden[(...)] then
    raise(READONLY)
  end
  return proper('rawset', ...)
end

function base.rawget(...)
  local t, k = ...
  if hidden[t] then
    return C.rawget(hidden[t], k)
  end
  return proper('rawget', ...)
end

function base.next(...)
  local t, k = ...
  if hidden[t] then
    return C.next(hidden[t], k)
  elseif type(t) == 'table' then
    return C.next(t, k)
  end
  return proper('next', ...)
end

-- not with the real table, which must not get out
function base.pairs(...)
  local t = ...
  if hidden[t] then
    return base.next, t, nil
  end
  return proper('pairs', ...)
end

-- an error's text instead of its table, as in Redis
local function caught(ok, ...)
  local e = ...
  if not ok and type(e) == 'table' then
    local text = C.rawget(e, 'err')
    if type(text) == 'string' or type(text) == 'number' then
      return false, text
    end
  end
  return ok, ... -- as many as there are
end

function base.pcall(...)
  return caught(C.pcall(...))
end

function base.xpcall(...)
  local f, handler = ...
  if select('#', ...) < 2 then
    return proper('xpcall', ...)
  end
  return C.xpcall(f, function(e)
    local _, isOver = raw.ending()
    if isOver then -- it would not be ended any more: there are no hooks in what one of them raises
      return e
    end
    return handler(e)
  end)
end

function base.collectgarbage(...)
  local what = ...
  if what == 'stop' or what == 'restart' or what == 'setpause' or what == 'setstepmul' then
    return 0 -- the next script needs it, too
  end
  return proper('collectgarbage', ...)
end

-- Source text only, never bytecode, which can do anything.
local function compile(source, name)
  if C.byte(source, 1) == 27 then
    source = ' ' .. source
  end
  local f, message = C.loadstring(source, name)
  if not f then
    return nil, message
  elseif C.find(source, '...', 1, true) then
    local _, wrong = raw.check(C.dump(f))
    if wrong then
      return nil, wrong
    end
  end
  return f
end

function base.loadstring(...)
  local source, name = ...
  if type(source) == 'number' then
    source = tostring(source)
  end
  if type(source) ~= 'string' or (name ~= nil and type(name) ~= 'string') then
    return proper('loadstring', ...)
  end
  return compile(source, name or source)
end

function base.load(...)
  local reader, name = ...
  if type(reader) ~= 'function' or (name ~= nil and type(name) ~= 'string') then
    return proper('load', ...)
  end
  local pieces = {}
  while true do
    local piece = reader()
    if piece == nil or piece == '' then
      return compile(C.concat(pieces), name or '=(load)')
    elseif type(piece) ~= 'string' and type(piece) ~= 'number' then
      return nil, 'reader function must return a string'
    end
    pieces[#pieces + 1] = piece
  end
end

-- Patterns: C's functions call themselves once for each repetition in a pattern, so it must not have many. What may
-- raise an error is called so that the error names the script's line.

local fine, known = {}, 0

local function isFine(p)
  if type(p) ~= 'string' then
    return false
  end
  local _, verdict = raw.pattern(p)
  if verdict == 0 then
    if known == 1000 then
      fine, known = {}, 0
    end
    fine[p] = true
    known = known + 1
    return true
  elseif verdict == 2 then
    error('pattern too complex', 3)
  end
  return false
end

local text = {}
for name, f in C.next, string do
  text[name] = f
end

function text.find(...)
  local s, p, from, plain = ...
  if type(s) == 'string' and from == nil and (fine[p] or isFine(p)) then
    return C.find(s, p)
  elseif not plain and not fine[p] then
    isFine(p)
  end
  return proper('find', ...)
end

function text.match(...)
  local s, p, from = ...
  if (fine[p] or isFine(p)) and type(s) == 'string' and from == nil then
    return C.match(s, p)
  end
  return proper('match', ...)
end

function text.gmatch(...)
  local _, p = ...
  if not fine[p] then
    isFine(p)
  end
  return proper('gmatch', ...)
end

text.gfind = text.gmatch

local depth, OWN = 0, {'^malformed pattern', '^bad argument', '^invalid ', '^missing ', '^too many ',
  '^unbalanced ', '^unfinished '}

function text.gsub(...)
  local s, p, to, count = ...
  local isSafe = fine[p] or isFine(p)
  if type(to) ~= 'function' and type(to) ~= 'table' then
    if isSafe and type(s) == 'string' and type(to) == 'string' and count == nil and not C.find(to, '%', 1, true) then
      return C.gsub(s, p, to)
    end
    return proper('gsub', ...)
  end
  if depth == 30 then -- each takes 8 KiB of C's stack
    error('C stack overflow', 2)
  end
  depth = depth + 1
  local ok, result, times = C.pcall(C.gsub, ...)
  depth = depth - 1
  if ok then
    return result, times
  end
  if type(result) == 'string' then
    for _, each in ipairs(OWN) do
      if C.find(result, each) then
        again('gsub', result, 3)
      end
    end
  end
  raise(result)
end

local tables = {}
for name, f in C.next, table do
  tables[name] = f
end

function tables.insert(...)
  local t, at = ...
  if hidden[t] then
    raise(READONLY)
  end
  local count = select('#', ...)
  if type(t) == 'table' and (count == 2 or (count == 3 and type(at) == 'number')) then
    return C.insert(...)
  end
  return proper('insert', ...)
end

function tables.foreach(...)
  local t, f = ...
  if hidden[t] then
    return C.foreach(hidden[t], f)
  end
  return C.foreach(...)
end

-- Functions in Java: each runs in a coroutine of its own, since the function that resumes it is one of C. It stays
-- on the stack in a tail call, puts the script's line before an error, and throws it where no frame of Java is.

local wraps, serves = {}, {}

local function out(ok, ...)
  if ok then
    return yield(...)
  end
  raise((...))
end

local numbers = {}
for name, f in C.next, math do
  numbers[name] = f
end
local libraries = {math = numbers, redis = {}, bit = {}, cjson = {}, cmsgpack = {}, struct = {}, base = base}

for id, name in ipairs(names) do
  local f = raw[name]
  local function serve(...)
    return serve(out(f(...)))
  end
  wraps[id], serves[id] = wrap(serve), serve
  local library, short = C.match(name, '^(%a+)%.(.+)$')
  libraries[library][short] = wraps[id]
end

local redis, cjson = libraries.redis, libraries.cjson
redis.REDIS_VERSION, redis.REDIS_VERSION_NUM = version, versionNumber
redis.LOG_DEBUG, redis.LOG_VERBOSE, redis.LOG_NOTICE, redis.LOG_WARNING = 0, 1, 2, 3
redis.REPL_NONE, redis.REPL_AOF, redis.REPL_SLAVE, redis.REPL_REPLICA, redis.REPL_ALL = 0, 1, 2, 2, 3
function redis.replicate_commands() return true end
function redis.breakpoint() return false end
function redis.debug() end

cjson.null, cjson._NAME, cjson._VERSION = null, 'cjson', '2.1.0'
local settings = {}
for name, f in C.next, cjson do
  if type(f) == 'function' then
    settings[name] = f
  end
end
-- a library with settings of its own
function cjson.new()
  local _, number = raw.json()
  local library = {null = null, _NAME = cjson._NAME, _VERSION = cjson._VERSION, new = cjson.new}
  for name, f in C.next, settings do
    library[name] = function(...)
      raw.json(number)
      return f(...)
    end
  end
  return library
end

local cmsgpack = libraries.cmsgpack
cmsgpack._NAME, cmsgpack._VERSION = 'cmsgpack', 'lua-cmsgpack 0.4.0'
cmsgpack._COPYRIGHT = 'Copyright (C) 2012, Salvatore Sanfilippo'
cmsgpack._DESCRIPTION = 'MessagePack C implementation for Lua'

local threads = {}
for name, f in C.next, coroutine do
  threads[name] = f
end

base.string, base.table, base.math, base.coroutine = protect(text), protect(tables), protect(numbers), protect(threads)
for name in C.gmatch('redis bit cjson cmsgpack struct', '%a+') do
  base[name] = protect(libraries[name])
end

local meta = {__index = function(_, name)
  error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
end}
C.setmetatable(base, meta)
base._G = protect(base, protect(meta))

local ofStrings = getmetatable('')
ofStrings.__index = text
ofStrings.__metatable = protect({__index = base.string})

-- The error that ended a script, as a table, with its place.
local function handler(e)
  local shown = {}
  if type(e) == 'table' then
    shown.err, shown.counted = C.rawget(e, 'err'), C.rawget(e, 'ignore_error_stats_update') and true
  else
    shown.err = 'ERR ' .. tostring(e)
  end
  for level = 2, 20 do
    local place = getinfo(level, 'Sl')
    if not place then
      break
    elseif place.currentline > 1 or (place.currentline == 1 and place.source ~= '@user_function') then
      -- the first line of a library is what the server puts before it
      shown.source, shown.line = place.source, place.currentline
      break
    end
  end
  return shown
end

return base._G, base, wraps, serves, handler
