import type { Environment } from '../models/discovery.js';
import type { Asked } from '../ports/probe.js';
import { findingsOf, type Finding } from './finding.js';

export interface SurroundingFacts {
  readonly platform: string;
  readonly env: Environment;
  /** The agents that were looked for, by the name of their command, and where they were found. */
  readonly agents: Readonly<Record<string, string | null>>;
  /** `bwrap` with a namespace of its own; null where there is no such thing. */
  readonly sandbox: Asked | null;
  /** The first program found that opens a page in a browser. */
  readonly opener: string | null;
}

const { ok, note } = findingsOf('surroundings');

/** Agents on the PATH, the sandbox, the browser (I-11, I-13, M-8): none of them is needed for a run that does not ask for it. */
export function judgeSurroundings(facts: SurroundingFacts): readonly Finding[] {
  return [judgeAgents(facts.agents), judgeSandbox(facts.sandbox), judgeBrowser(facts)];
}

function judgeAgents(agents: SurroundingFacts['agents']): Finding {
  const names = (there: boolean): readonly string[] =>
    Object.entries(agents).flatMap(([name, path]) => ((path !== null) === there ? [name] : []));
  const [found, missing] = [names(true), names(false)];
  const what = [
    ...(found.length > 0 ? [`found: ${found.join(', ')}`] : []),
    ...(missing.length > 0 ? [`not found: ${missing.join(', ')}`] : []),
  ];
  return ok('agents', what.join('; '));
}

function judgeSandbox(sandbox: Asked | null): Finding {
  const why = '--sandbox is refused here.';
  if (sandbox === null) return note('sandbox', 'bubblewrap is for Linux alone', { why });
  if (sandbox.asked === 'absent') return note('sandbox', 'bubblewrap is not found', { why, fix: 'apt install bubblewrap' });
  if (sandbox.asked === 'answered' && sandbox.exit === 0) return ok('sandbox', 'bubblewrap works');
  const said = sandbox.asked === 'answered' ? (sandbox.text.trim().split('\n')[0] ?? '') : 'it does not answer';
  return note('sandbox', `bubblewrap is there, but cannot make a namespace: ${said}`, {
    why: `${why} Containers and some CI machines forbid user namespaces.`,
    fix: 'sysctl -w kernel.unprivileged_userns_clone=1',
  });
}

function judgeBrowser({ platform, env, opener }: SurroundingFacts): Finding {
  if (opener === null) return note('browser', 'nothing here opens one', { why: 'A page can still be opened by its address.' });
  const screen = platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME'];
  return screen
    ? ok('browser', opener)
    : note('browser', `${opener} is there, but no screen is`, { why: 'A page can still be opened by its address.' });
}
