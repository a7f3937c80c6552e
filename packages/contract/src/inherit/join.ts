import type { Action, Clause, Contract, ContractFault, Limit } from '../contract.js';
import { inOrder, named, stronger } from '../contract.js';
import { nearest } from '../nearest.js';
import { limitText } from '../read/own-contract.js';
import type { OwnContract } from '../read/own-contract.js';
import { textOf, textsOf } from '../read/values.js';

/** A file joined to what it extends: everything of the parent, what the child tightens or adds, nothing less (C-2). */
export function joined(own: OwnContract, parent: Contract | undefined): Contract {
  const { fields, document } = own;
  const inherited = (parent?.clauses ?? []).map((clause) => tightened(clause, own));
  const defaultAction = own.fields['on_violation'] === undefined && parent ? parent.defaultAction : own.defaultAction;
  const added = own.clauses
    .filter((clause) => !inherited.some((other) => isSame(clause, other)))
    .map((clause) =>
      clause.severity === own.defaultAction && clause.type !== 'requires' ? withDefault(clause, own, defaultAction) : clause,
    );
  const text = (key: string): string | undefined => textOf(fields[key]);
  const optional = { description: text('description'), author: text('author'), created: text('created') };
  return {
    agent: text('agent') ?? '',
    path: document.source.path,
    version: text('version') ?? '',
    specVersion: text('spec-version') ?? parent?.specVersion ?? '',
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    tags: [...new Set([...(parent?.tags ?? []), ...textsOf(fields['tags'])])],
    can: [...new Set([...(parent?.can ?? []), ...own.can])],
    clauses: named(inOrder([...inherited, ...added])),
    defaultAction,
    files: [{ path: document.source.path, sha256: own.sha256 }, ...(parent?.files ?? [])],
  };
}

/** Without an `on_violation` of its own a child's clauses have its parent's default action (C-1). */
function withDefault(clause: Clause, own: OwnContract, action: Action): Clause {
  return own.overrides.some(({ name }) => name === clause.name) ? clause : { ...clause, severity: action };
}

/** A child may lower a limit and raise an action. The stronger of two actions counts: a lower default of the child is no way round. */
function tightened(clause: Clause, own: OwnContract): Clause {
  if (clause.type === 'limits') {
    const again = own.clauses.find((each): each is Limit => each.type === 'limits' && each.key === clause.key);
    const most = Math.min(clause.most, again?.most ?? clause.most);
    const origin = again && again.most < clause.most ? again.origin : clause.origin;
    return { ...clause, most, text: limitText(clause.key, most), origin, severity: raised(clause.severity, clause.name, own) };
  }
  if (clause.type === 'assert') return { ...clause, severity: raised(clause.severity, clause.name, own) };
  const again = own.clauses.find((each) => isSame(each, clause));
  return again ? { ...clause, severity: stronger(clause.severity, again.severity) } : clause;
}

function raised(action: Action, name: string, own: OwnContract): Action {
  const override = own.overrides.find((each) => each.name === name);
  return override ? stronger(action, override.action) : action;
}

function isSame(clause: Clause, other: Clause): boolean {
  if (clause.type !== other.type) return false;
  if (clause.type === 'limits' || clause.type === 'assert') return clause.name === other.name;
  return clause.text === other.text && other.type !== 'limits' && other.type !== 'assert' && clause.judge === other.judge;
}

/** An entry of `on_violation` has to name an assertion or a limit, its own or an inherited one (C-1). */
export function overrideFaults(own: OwnContract, contract: Contract): ContractFault[] {
  const names = contract.clauses.filter(({ type }) => type === 'assert' || type === 'limits').map(({ name }) => name);
  return own.overrides.flatMap(({ name, place }) => {
    if (names.includes(name)) return [];
    const meant = nearest(name, names);
    const hint = meant === undefined ? ' It takes the names of assertions and the keys of limits.' : ` Did you mean "${meant}"?`;
    return [{ severity: 'error' as const, ...place, message: `on_violation names "${name}", which is no assertion or limit here.${hint}` }];
  });
}
