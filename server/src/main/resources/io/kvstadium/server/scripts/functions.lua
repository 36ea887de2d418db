-- What is put before the code of a library of functions, as one line. With an empty name the library is only loaded:
-- the result is what it registers, each with its flags and its description. See Functions.java.

local redis, finish = (function(keys, arguments)
  local wanted, all, list, loading = table.remove(keys, 1), {}, {}, true
  local known = {['no-writes'] = true, ['allow-oom'] = true, ['allow-stale'] = true, ['no-cluster'] = true, ['allow-cross-slot-keys'] = true}
  local visible = {log = redis.log, REDIS_VERSION = redis.REDIS_VERSION, REDIS_VERSION_NUM = redis.REDIS_VERSION_NUM}
  for name, value in pairs(redis) do
    if string.find(name, '^LOG_') then
      visible[name] = value
    end
  end
  local function need(ok, message)
    if not ok then
      error({err = 'ERR ' .. message})
    end
  end
  local function isText(value)
    return type(value) == 'string' or type(value) == 'number'
  end
  local function named(given)
    local name, callback, flags, description
    for key, value in pairs(given) do
      if key == 'function_name' then
        need(isText(value), 'function_name argument given to redis.register_function must be a string')
        name = value
      elseif key == 'description' then
        need(isText(value), 'description argument given to redis.register_function must be a string')
        description = value
      elseif key == 'callback' then
        need(type(value) == 'function', 'callback argument given to redis.register_function must be a function')
        callback = value
      elseif key == 'flags' then
        need(type(value) == 'table', 'flags argument to redis.register_function must be a table representing function flags')
        flags = {}
        for _, flag in ipairs(value) do
          need(known[flag], 'unknown flag given')
          flags[#flags + 1] = flag
        end
      else
        need(false, 'unknown argument given to redis.register_function')
      end
    end
    need(name, 'redis.register_function must get a function name argument')
    need(callback, 'redis.register_function must get a callback argument')
    return name, callback, flags, description
  end
  function visible.register_function(...)
    local name, callback, flags, description = ...
    local count = select('#', ...)
    need(count == 1 or count == 2, 'wrong number of arguments to redis.register_function')
    if count == 1 then
      need(type(name) == 'table', 'calling redis.register_function with a single argument is only applicable to Lua table (representing named arguments).')
      name, callback, flags, description = named(name)
    else
      need(isText(name), 'first argument to redis.register_function must be a string')
      need(type(callback) == 'function', 'second argument to redis.register_function must be a function')
    end
    name = tostring(name)
    need(string.find(name, '^[%w_]+$'), 'Library names can only contain letters, numbers, or underscores(_) and must be at least one character long')
    need(not all[name], 'Function already exists in the library')
    all[name] = callback
    list[#list + 1] = {name, table.concat(flags or {}, ','), description and tostring(description) or false}
  end
  local front = setmetatable({}, {__metatable = false,
    __index = function(_, name)
      if visible[name] == nil and loading then
        error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
      end
      return visible[name]
    end,
    __newindex = function()
      error('Attempt to modify a readonly table', 2)
    end})
  local function finish(library)
    if wanted ~= '' then
      library()
      loading, visible = false, redis
      return all[wanted](keys, arguments)
    end
    local ok, message = pcall(library)
    if ok then
      return list
    end
    message = tostring(message)
    return {err = 'ERR Error registering functions: ' .. (string.find(message, '^ERR ') and message or 'ERR ' .. message)}
  end
  return front, finish
end)(FUNCTION_KEYS, FUNCTION_ARGUMENTS)

return finish(function()
