import type { Environment } from '../models/discovery.js';
import type { LauncherFound } from '../ports/containment.js';
import { explainNoLauncher } from '../sandbox/no-launcher.js';
import { findingsOf, type Finding } from './finding.js';

export interface SurroundingFacts {
  readonly platform: string;
  readonly env: Environment;
  /** The agents that were looked for, by the name of their command, and where they were found. */
  readonly agents: Readonly<Record<string, string | null>>;
  /** Whether programs can be contained. */
  readonly sandbox: LauncherFound;
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

function judgeSandbox(sandbox: LauncherFound): Finding {
  if (sandbox.found === 'works') return ok('sandbox', 'bubblewrap works');
  const { what, why, fix } = explainNoLauncher(sandbox);
  return note('sandbox', what, { why: `--sandbox is refused here. ${why}`, ...(fix === undefined ? {} : { fix }) });
}

function judgeBrowser({ platform, env, opener }: SurroundingFacts): Finding {
  if (opener === null) return note('browser', 'nothing here opens one', { why: 'A page can still be opened by its address.' });
  const screen = platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME'];
  return screen
    ? ok('browser', opener)
    : note('browser', `${opener} is there, but no screen is`, { why: 'A page can still be opened by its address.' });
}
