/** What of an assembly shapes a step of a flow: when all of it is as it was, the step's output still stands (G-11). Pure. */
import { filesOf, type Assembly, type FileEntry, type Flow, type Step } from '@gated-flow/assembly';

export interface Placed {
  readonly assembly: Assembly;
  readonly flow: Flow;
  readonly step: Step;
}

/**
 * The first thing that differs, in half a sentence; null when nothing does. Compared are the bytes and executable bits of all files of
 * the step and of what it may reach (`lib`, skills, subflows, contracts of the flow and of the root with all they extend), and of ASSEMBLY.md and the
 * flow's sentinel what a stage is told or bound by: the purpose, the slots, the procedure and the limits. Their option keys count as
 * the stage's resolved options do; the number of steps does not count.
 */
export function partDifference(then: Placed, now: Placed): string | null {
  return filesDifference(then, now) ?? wordsDifference(then, now);
}

function filesDifference(then: Placed, now: Placed): string | null {
  const before = new Map(reachedFiles(then).map((file) => [file.path, spell(file)]));
  for (const file of reachedFiles(now)) {
    const known = before.get(file.path);
    if (known === undefined) return `${file.path} is new`;
    if (known !== spell(file)) return `${file.path} was changed`;
    before.delete(file.path);
  }
  const [gone] = before.keys();
  return gone === undefined ? null : `${gone} was removed`;
}

function reachedFiles({ assembly, flow, step }: Placed): FileEntry[] {
  const prefix = flow.path === '.' ? '' : `${flow.path}/`;
  const folders = [step.entry, 'contracts', ...['lib', 'skills', 'subflows'].flatMap((name) => [name, `${prefix}${name}`])];
  const whole = step.entry === '.';
  return filesOf(assembly.snapshot).filter(
    ({ path }) => whole || folders.some((folder) => path === folder || path.startsWith(`${folder}/`)) || isContract(path, prefix),
  );
}

/** Contracts of the root and of the flow; those of stages stand in their folders. */
function isContract(path: string, prefix: string): boolean {
  const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return (!name.includes('/') || !path.includes('/')) && /\.contract\.(?:ya?ml|json)$/.test(name);
}

function spell({ sha256, executable }: FileEntry): string {
  return `${sha256}${executable ? ':x' : ''}`;
}

function wordsDifference(then: Placed, now: Placed): string | null {
  const before = words(then);
  return words(now).find(({ value }, index) => value !== before[index]?.value)?.changed ?? null;
}

function words({ assembly, flow }: Placed): { readonly value: string; readonly changed: string }[] {
  const root = assembly.sentinel ?? 'ASSEMBLY.md';
  return [
    { value: assembly.purpose, changed: `the body of ${root} was changed` },
    { value: JSON.stringify(Object.entries(assembly.slots)), changed: `the slots in ${root} were changed` },
    { value: String(assembly.tmpMaxBytes), changed: `tmp-max-bytes in ${root} was changed` },
    { value: assembly.unevaluated, changed: `unevaluated in ${root} was changed` },
    { value: flow.procedure, changed: `the body of ${flow.sentinel} was changed` },
    { value: flow.tmp, changed: `tmp in ${flow.sentinel} was changed` },
  ];
}
