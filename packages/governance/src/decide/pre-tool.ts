import { matchCommands, readCommands } from '../command/index.js';
import type { CommandReading } from '../command/index.js';
import type { Rule } from '../contract/contract.js';
import type { PreToolEvent, RuleHit } from '../events.js';
import { asciiJson } from '../payload/ascii.js';
import { openTests } from './bounded.js';
import { hitOf, TOOK_TOO_LONG } from './hit.js';
import { placesIn } from './places.js';

/** Every rule that fits a call of a tool (V-2, V-3). A call that runs a shell text is judged by the commands in it. */
export function preToolHits(rules: readonly Rule[], event: PreToolEvent): readonly RuleHit[] {
  const reading = event.command && readCommands(event.command);
  const arguments_ = reading ? '' : asciiJson(event.arguments);
  const hits = rules
    .filter(({ matcher }) => !matcher.tool || matcher.tool.has(event.tool))
    .flatMap((rule) => (reading ? commandHits(rule, reading) : callHits(rule, arguments_, event.arguments)));
  return [...hits, ...(reading ? unreadHits(reading, hits) : [])];
}

function commandHits(rule: Rule, reading: CommandReading): readonly RuleHit[] {
  const { program, args, path, text } = rule.matcher;
  const tests = openTests();
  const matches = matchCommands(reading, {
    ...(program && { program: (name) => program.has(name) }),
    ...(args && { args: (joined) => tests.found(args, joined) }),
    ...(path && { path: (name) => path.fits(name) }),
    ...(text && { text: (source) => tests.found(text, source) }),
  });
  return matches.map(({ certainty, matched, why }) => {
    const doubt = certainty === 'perhaps' ? (why ?? 'It could not be read.') : tests.unsure ? TOOK_TOO_LONG : undefined;
    return hitOf(rule, { matched, doubt });
  });
}

/** What cannot be read and fits no rule is still one step stricter than nothing (V-3). */
function unreadHits({ unread }: CommandReading, hits: readonly RuleHit[]): readonly RuleHit[] {
  const [first] = unread.filter(({ text }) => !hits.some(({ matched }) => matched === text));
  return first ? [{ id: 'unread-command', decision: 'warn', reason: first.why, matched: first.text }] : [];
}

/** A tool without a shell text: `text` looks at its arguments as JSON, `path` at every text in them that may name a place. A program it has none. */
function callHits(rule: Rule, json: string, given: unknown): readonly RuleHit[] {
  const { program, args, path, text } = rule.matcher;
  if (program || args) return [];
  const tests = openTests();
  if (path && !placesIn(given).some((value) => path.fits(value))) return [];
  if (text && !tests.found(text, json)) return [];
  return [hitOf(rule, { matched: json.slice(0, MAX_SHOWN), doubt: tests.unsure ? TOOK_TOO_LONG : undefined })];
}

const MAX_SHOWN = 200;
