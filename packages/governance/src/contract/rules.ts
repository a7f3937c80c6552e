import { compilePattern } from '@gated-flow/patterns';
import type { Pattern } from '@gated-flow/patterns';
import type { Decision } from '../events.js';
import { DECISIONS } from '../events.js';
import { compileGlob, lazyGlob } from '../match/glob.js';
import { lazyPattern } from '../match/lazy.js';
import { programNames, toolNames } from '../match/names.js';
import { GRANTS } from '../packs/grants.js';
import { PACKS } from '../packs/index.js';
import type { Pack, PackRule } from '../packs/pack.js';
import { PACK_NAMES } from '../packs/pack.js';
import type { Matcher, Rule } from './contract.js';
import type { Building } from './building.js';
import type { NodePath } from './document.js';
import { type Fields, isFields, listIn, textIn, textsIn, wordIn } from './values.js';

const PARTS = ['tool', 'program', 'args', 'path', 'text'] as const;

/** The rules of a stage: those of its packs, then its own (V-2). */
export function rulesOf(stage: Fields, at: NodePath, building: Building): readonly Rule[] {
  const packs = listIn(stage, 'packs').flatMap((pack, index) => packRules(pack, [...at, 'packs', index], building));
  const own = listIn(stage, 'rules').flatMap((rule, index) => (isFields(rule) ? ownRule(rule, [...at, 'rules', index], building) : []));
  for (const [index, { id }] of own.entries()) {
    if (own.findIndex((rule) => rule.id === id) < index)
      building.fault([...at, 'rules', index, 'id'], `The rule "${id}" stands there twice.`);
  }
  return [...packs, ...own];
}

function ownRule(rule: Fields, at: NodePath, building: Building): readonly Rule[] {
  const id = textIn(rule, 'id') ?? '';
  const decision = wordIn(rule, 'decision', DECISIONS) ?? 'deny';
  const written = writtenOf(rule);
  const matcher = matcherOf(written, (part, message) => building.fault([...at, part], message));
  const target = textIn(rule, 'target');
  const reason = textIn(rule, 'reason') ?? (target === undefined ? `The rule "${id}" fits.` : `It reaches for: ${target}.`);
  const [scope, risks, recovery] = [textIn(rule, 'scope'), textIn(rule, 'risks'), textIn(rule, 'recovery')];
  return [{ id, decision, matcher, written, reason, target, scope, risks, recovery, told: toldOf(written) }];
}

function writtenOf(rule: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PARTS.flatMap((part) => {
      const text = textIn(rule, part);
      return text === undefined ? [] : [[part, text]];
    }),
  );
}

function toldOf(written: Readonly<Record<string, string>>): string {
  const parts = PARTS.flatMap((part) => (written[part] === undefined ? [] : [`${part} ${written[part]}`]));
  return parts.length === 0 ? 'every call' : parts.join(', ');
}

function matcherOf(written: Readonly<Record<string, string>>, fault: (part: string, message: string) => void): Matcher {
  const expression = (part: string): Pattern | undefined => {
    const source = written[part];
    if (source === undefined) return undefined;
    const compiled = compilePattern(source);
    if (!compiled.ok) fault(part, `The expression cannot be understood: ${compiled.message}`);
    return compiled.ok ? compiled.pattern : undefined;
  };
  const glob = written['path'] === undefined ? undefined : compileGlob(written['path']);
  if (glob?.ok === false) fault('path', `The path pattern cannot be understood: ${glob.message}`);
  return {
    tool: written['tool'] === undefined ? undefined : toolNames(written['tool']),
    program: written['program'] === undefined ? undefined : programNames(written['program']),
    args: expression('args'),
    path: glob?.ok ? glob.glob : undefined,
    text: expression('text'),
  };
}

function packRules(given: unknown, at: NodePath, building: Building): readonly Rule[] {
  const fields: Fields = isFields(given) ? given : { name: given };
  const name = wordIn(fields, 'name', PACK_NAMES);
  if (name === undefined) return [];
  const pack = PACKS[name];
  const except = new Set(textsIn(fields, 'except'));
  for (const [index, id] of textsIn(fields, 'except').entries()) {
    if (GRANTS.some((rule) => rule.id === id)) building.fault([...at, 'except', index], `The rule "${id}" holds without exception.`);
    else if (!pack.rules.some((rule) => rule.id === id))
      building.fault(
        [...at, 'except', index],
        `The pack ${name} has no rule "${id}". It has: ${pack.rules.map((rule) => rule.id).join(', ')}.`,
      );
  }
  return compiledPack(pack).filter(({ id }) => !except.has(id.slice(name.length + 1)));
}

const compiledPacks = new Map<string, readonly Rule[]>();

/** A pack's rules with those that every pack has; compiled once, when it is first named. */
export function compiledPack(pack: Pack): readonly Rule[] {
  const found = compiledPacks.get(pack.name);
  if (found) return found;
  const rules = [...GRANTS, ...pack.rules].map((rule) => packRule(rule, pack));
  compiledPacks.set(pack.name, rules);
  return rules;
}

function packRule(rule: PackRule, pack: Pack): Rule {
  const written = writtenOf({ ...rule });
  const matcher = packMatcher(rule);
  const decision: Decision = rule.decision ?? pack.decision;
  const { risks = pack.risks, recovery = pack.recovery, target = pack.target, scope = pack.scope } = rule;
  const asks = decision === 'require_approval' ? { risks, recovery, target, scope } : { target, scope };
  return { id: `${pack.name}/${rule.id}`, decision, matcher, written, reason: rule.reason, ...asks, pack: pack.name, told: rule.told };
}

/** What ships is sound, which tests say: nothing has to be compiled before a call asks for it. */
function packMatcher({ tool, program, args, path, text }: PackRule): Matcher {
  return {
    ...(tool !== undefined && { tool: toolNames(tool) }),
    ...(program !== undefined && { program: programNames(program) }),
    ...(args !== undefined && { args: lazyPattern(args) }),
    ...(path !== undefined && { path: lazyGlob(path) }),
    ...(text !== undefined && { text: lazyPattern(text) }),
  };
}
