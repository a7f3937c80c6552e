#!/usr/bin/env node
// Refreshes runtime/src/models/price-table.json from a file of prices:
//   node scripts/refresh-prices.mjs FILE --date 2026-11-30 [--add openai/gpt-9 …] [--dry-run] [--table FILE]
//
// FILE is LiteLLM's public list, model_prices_and_context_window.json: one object, model id → row, of which is read
//   litellm_provider                     anthropic, openai or gemini (whose ids begin with "gemini/"); other rows are passed over
//   input_cost_per_token, output_cost_per_token          US dollars; a row without both is passed over
//   cache_read_input_token_cost, cache_creation_input_token_cost, max_input_tokens                 where they are there
//   input_cost_per_token_above_272k_tokens and the like    what a prompt over that many tokens is charged, all of it
//
// Only models that the table has already are taken, and those of --add. A model that FILE does not name, or names in a way
// that cannot be a price, keeps its row and the day of its row. --date is the day on which FILE was fetched.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/root.mjs';

const USAGE = 'node scripts/refresh-prices.mjs FILE --date YYYY-MM-DD [--add PROVIDER/MODEL] [--dry-run] [--table FILE]';
/** Our names of the providers by theirs, and what they put before a model's id. */
const PROVIDERS = {
  anthropic: { ours: 'anthropic', prefix: '' },
  openai: { ours: 'openai', prefix: '' },
  gemini: { ours: 'google', prefix: 'gemini/' },
};
/** USD per million tokens; what is more is a slip of units. */
const DEAREST = 10_000;

const words = readWords();
const file = words.table ?? join(root, 'runtime/src/models/price-table.json');
const table = JSON.parse(await readFile(file, 'utf8'));
const known = rowsByModel(await readList(words.list));
for (const name of words.add) add(name);

const kept = [];
const changes = [];
const models = {};
for (const provider of Object.keys(table.models).sort()) {
  models[provider] = {};
  for (const model of Object.keys(table.models[provider]).sort()) {
    const before = table.models[provider][model];
    const after = readRow(known.get(`${provider}/${model}`), before);
    if (after === null && before === null) fail(`${words.list} has no price of ${provider}/${model}.`);
    if (after === null) kept.push(`${provider}/${model}`);
    else note(`${provider}/${model}`, before, after);
    models[provider][model] = after ?? { ...before, date: before.date ?? table.date };
  }
}

if (!words.dry) await replace(file, { date: words.date, models });
for (const line of changes) console.log(line);
if (kept.length > 0) console.log(`no price for them in ${words.list}, so they keep theirs and its day: ${kept.join(', ')}`);
console.log(`${changes.length} of ${countRows(models)} rows changed${words.dry ? ', nothing written' : ''}`);

function readWords() {
  const options = {
    date: { type: 'string' },
    add: { type: 'string', multiple: true },
    'dry-run': { type: 'boolean' },
    table: { type: 'string' },
  };
  const { values, positionals } = orFail(() => parseArgs({ options, allowPositionals: true }));
  if (positionals.length !== 1) fail(`Name one file of prices: ${USAGE}`);
  if (!isDay(values.date)) fail(`--date must be the day of the file, YYYY-MM-DD: ${USAGE}`);
  return { list: positionals[0], date: values.date, add: values.add ?? [], dry: values['dry-run'] === true, table: values.table };
}

function isDay(text) {
  return /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}

async function readList(path) {
  const text = await readFile(path, 'utf8').catch((error) => fail(`${path} cannot be read: ${error.code}.`));
  const list = orFail(() => JSON.parse(text), `${path} is no JSON.`);
  return isObject(list) ? list : fail(`${path} must be one object, model id → row.`);
}

/** The rows of the providers that we know, by our name of the model. */
function rowsByModel(list) {
  const rows = new Map();
  for (const [id, row] of Object.entries(list)) {
    const provider = isObject(row) && Object.hasOwn(PROVIDERS, row.litellm_provider) ? PROVIDERS[row.litellm_provider] : null;
    if (provider !== null && id.startsWith(provider.prefix)) rows.set(`${provider.ours}/${id.slice(provider.prefix.length)}`, row);
  }
  return rows;
}

function add(name) {
  const [, provider, model] = /^([a-z]+)\/(.+)$/.exec(name) ?? fail(`--add must be PROVIDER/MODEL; it is ${name}.`);
  if (!Object.values(PROVIDERS).some(({ ours }) => ours === provider)) fail(`--add: there is no provider ${provider}.`);
  table.models[provider] ??= {};
  table.models[provider][model] ??= null;
}

/** Our row, or null when it is none or cannot be right. */
function readRow(row, before) {
  if (row === undefined) return null;
  const rates = readRates(row, '');
  const tiers = Object.keys(row).flatMap((key) => /^input_cost_per_token_above_(\d+)k_tokens$/.exec(key)?.[1] ?? []);
  const longer = tiers.filter((thousands) => typeof row[`input_cost_per_token_above_${thousands}k_tokens`] === 'number');
  if (rates === null || longer.length > 1) return null;
  const context =
    Number.isSafeInteger(row.max_input_tokens) && row.max_input_tokens > 0 ? { context: row.max_input_tokens } : contextOf(before);
  if (longer.length === 0) return { ...rates, ...context };
  const above = readRates(row, `_above_${longer[0]}k_tokens`);
  return above === null ? null : { ...rates, ...context, longPrompt: { tokens: Number(longer[0]) * 1000, ...above } };
}

function contextOf(row) {
  return row?.context === undefined ? {} : { context: row.context };
}

function readRates(row, ending) {
  const names = {
    input: 'input_cost_per_token',
    output: 'output_cost_per_token',
    cacheRead: 'cache_read_input_token_cost',
    cacheWrite: 'cache_creation_input_token_cost',
  };
  const rates = {};
  for (const [name, key] of Object.entries(names)) {
    const value = row[key + ending] ?? null;
    if (value === null && name.startsWith('cache')) continue;
    if (typeof value !== 'number' || !(value >= 0) || value * 1e6 > DEAREST) return null;
    rates[name] = Number((value * 1e6).toFixed(6));
  }
  return rates;
}

function note(name, before, after) {
  const show = (row) =>
    row === null
      ? 'not there'
      : Object.entries(row)
          .filter(([key]) => key !== 'date')
          .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
          .join(', ');
  if (show(before) !== show(after)) changes.push(`${name}\n  was ${show(before)}\n  is  ${show(after)}`);
}

function countRows(all) {
  return Object.values(all).reduce((sum, rows) => sum + Object.keys(rows).length, 0);
}

async function replace(path, content) {
  await writeFile(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`);
  await rename(`${path}.new`, path);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function orFail(act, message) {
  try {
    return act();
  } catch (error) {
    return fail(message ?? error.message);
  }
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
