#!/usr/bin/env lua
-- SPDX-License-Identifier: GPL-2.0
--
-- tables.lua KEYS - fill a table with KEYS strings as keys, each of which has a small table as
-- its value, and look up random keys.  This gives the heap of a typical interpreter.

local keys = tonumber(arg[1])
local state = 88172645463325252

local function draw(below)	-- xorshift64
	state = state ~ (state << 13)
	state = state ~ (state >> 7)
	state = state ~ (state << 17)
	return (state >> 32) % below
end

local function key(i)
	return string.format("key-%07d", i)
end

local all = {}
for i = 0, keys - 1 do
	all[key(i)] = { id = i, count = 0, name = "name of " .. i }
end

local sum = 0
for _ = 1, keys do
	local entry = all[key(draw(keys))]
	entry.count = entry.count + 1
	sum = (sum * 31 + entry.id) & 0xffffffffffff
end

-- Replace entries that were looked up.  The garbage collector frees the old ones.
for i = 0, keys - 1, 2 do
	local entry = all[key(i)]
	if entry.count > 0 then
		all[key(i)] = { id = i, count = 0, name = entry.name .. "!" }
	end
end
for _ = 1, keys // 2 do
	local entry = all[key(draw(keys))]
	sum = (sum * 31 + entry.count + #entry.name) & 0xffffffffffff
end
print(keys, sum)
