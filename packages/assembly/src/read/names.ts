/** What a name alone says about an entry. */
import { nearest } from '../nearest.js';

export const STEP_SENTINELS = ['STAGE.md', 'LOOP.md', 'CHOOSE.md', 'PARALLEL.md', 'FANOUT.md'] as const;
export const FLOW_SENTINELS = ['FLOW.md', 'DESCEND.md'] as const;
export type StepSentinel = (typeof STEP_SENTINELS)[number];
export type FlowSentinel = (typeof FLOW_SENTINELS)[number];
const SENTINEL_NAMES: readonly string[] = [...STEP_SENTINELS, ...FLOW_SENTINELS, 'ASSEMBLY.md', 'SKILL.md'];
const MEANT_NAMES: readonly string[] = [...SENTINEL_NAMES, 'README.md'];

/** The governance contract of an assembly, or of a project (A-8, V-12). */
export const GOVERNANCE_FILE = 'governance.contract.json';

export const HOOK_NAMES = ['before', 'success', 'failure'] as const;

/** `12-name` taken apart. `digits` may be too many: the caller judges. */
export interface NumberedName {
  readonly digits: string;
  readonly name: string;
}

export function numbered(name: string): NumberedName | null {
  const match = /^([0-9]+)-(.*)$/su.exec(name);
  return match?.[1] === undefined || match[2] === undefined ? null : { digits: match[1], name: match[2] };
}

/** The identity of a file or a folder: `.md` dropped for a file. */
export function withoutExtension(name: string, kind: 'file' | 'folder'): string {
  return kind === 'file' && name.endsWith('.md') ? name.slice(0, -'.md'.length) : name;
}

/** The part before the first dot, which decides in a stage folder. */
export function firstStem(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? name : name.slice(0, dot);
}

/**
 * The real name that a capitalised or mis-cased markdown file stands in for: null when the name does not look like a sentinel,
 * `{}` when it does but nothing is near.
 */
export function posesAsSentinel(name: string): { readonly meant?: string } | null {
  if (!/\.md$/iu.test(name)) return null;
  if (SENTINEL_NAMES.includes(name)) return {};
  const miscased = MEANT_NAMES.find((real) => real.toLowerCase() === name.toLowerCase());
  if (miscased !== undefined) return { meant: miscased };
  if (!/^\p{Lu}/u.test(name)) return null;
  const near = nearest(
    name.slice(0, -'.md'.length),
    MEANT_NAMES.map((real) => real.slice(0, -'.md'.length)),
  );
  return near === undefined ? {} : { meant: `${near}.md` };
}

/** What an editor or a merge left behind, in words; null for any other name. */
export function leftover(name: string): string | null {
  if (name.endsWith('~')) return "an editor's backup copy";
  if (/^#.*#$/su.test(name)) return "an editor's unsaved copy";
  if (name.endsWith('.swp')) return "an editor's swap file";
  if (name.endsWith('.bak')) return 'a backup copy';
  if (name.endsWith('.orig')) return 'what a merge left behind';
  return null;
}

/** `x.contract.yaml` or `x.contract.json`; `governance.contract.json` is not one. */
export function isContractName(name: string): boolean {
  return /\.contract\.(?:yaml|json)$/u.test(name) && name !== GOVERNANCE_FILE;
}

/** Whether a stage folder would take this name for a check or a hook. */
export function isCheckName(name: string): boolean {
  const stem = firstStem(name);
  return stem === 'schema' || stem === 'gate' || HOOK_NAMES.some((hook) => hook === stem) || isContractName(name);
}

/** Control characters of ASCII and Latin-1, line feed and tabulator among them. */
export function hasControl(name: string): boolean {
  return /\p{Cc}/u.test(name);
}
