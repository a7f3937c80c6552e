/** A graph as the files of a flow, and what its agents do as the lines of a script. */
import { calls, type Line, sh, stage, stops, type Tree, wrote } from '../run/ground.js';
import type { Branch, Choose, Stage, Step } from './places.js';
import type { Act, Answer } from './shapes.js';

/** The files of a flow's steps, relative to its folder. */
export function filesOf(steps: readonly Step[]): Tree {
  return Object.assign({}, ...steps.map(fileOf));
}

function fileOf(step: Step): Tree {
  const at = step.path;
  switch (step.type) {
    case 'list':
      return { [`${at}/STAGE.md`]: stage(), [`${at}/schema.json`]: '{"type":"object"}' };
    case 'fanout':
      return { [`${at}/FANOUT.md`]: `---\nitems: items\nsubflow: worker\nwidth: ${step.width}\nmax-items: 4\n---\n` };
    case 'stage':
      return stageFiles(step);
    case 'loop': {
      const body = step.answers === null ? '' : 'Is it ready?\n';
      return { [`${at}/LOOP.md`]: `---\nrepeat: ${step.repeat}\n---\n${body}`, ...filesOf(step.steps) };
    }
    case 'choose': {
      const items = step.branches.map(({ name }) => `- \`${name}\` when it fits\n`).join('');
      return { [`${at}/CHOOSE.md`]: `---\n---\nLook at it.\n\n${items}`, ...branchFiles(step.branches) };
    }
    case 'parallel':
      return { [`${at}/PARALLEL.md`]: `---\nwidth: ${widthOf(step)}\n---\n`, ...branchFiles(step.branches) };
  }
}

function branchFiles(branches: readonly Branch[]): Tree {
  return filesOf(branches.flatMap(({ steps }) => steps));
}

const widthOf = ({ wide, branches }: { readonly wide: boolean; readonly branches: readonly Branch[] }): number =>
  wide ? branches.length : 1;

export const isJson = ({ acts }: Pick<Stage, 'acts'>): boolean => acts.includes('unfit');
const isGated = ({ acts }: Stage): boolean => acts.includes('shut');

function stageFiles(step: Stage): Tree {
  const text = stage('Write it.', `retries: ${step.retries}\n`);
  if (!isJson(step) && !isGated(step)) return { [`${step.path}.md`]: text };
  return {
    [`${step.path}/STAGE.md`]: text,
    ...(isJson(step) ? { [`${step.path}/schema.json`]: '{"type":"object"}' } : {}),
    ...(isGated(step) ? { [`${step.path}/gate.sh`]: sh('! grep -q shut "$1"') } : {}),
  };
}

/** In which flow, and in which repeat of which loop, an agent stands. */
interface Standing {
  readonly flow: string;
  readonly repeat?: number;
  readonly answer?: Answer;
}

/** Every line that any agent of these steps may ask for. */
export function linesOf(steps: readonly Step[], at: Standing): Line[] {
  return steps.flatMap((step): Line[] => {
    const { answer: _, ...inner } = at;
    switch (step.type) {
      case 'list': {
        const items = step.ids.map((id) => ({ id, input: {} }));
        return [wrote(step.path, JSON.stringify({ items }), { flow: at.flow }), stops(step.path, { flow: at.flow })];
      }
      case 'fanout':
        return step.items.flatMap((act, index) => actLines('01-work', act, { flow: 'worker', item: step.ids[index] ?? '' }));
      case 'stage':
        return stageLines(step, step === steps.at(-1) ? at : inner);
      case 'loop':
        return Array.from({ length: step.repeat }, (_repeat, index) => index + 1).flatMap((repeat) =>
          linesOf(step.steps, { ...inner, repeat, ...(step.answers ? { answer: nth(step.answers, repeat) } : {}) }),
        );
      case 'choose':
        return [...chooseLines(step, inner), ...step.branches.flatMap((branch) => linesOf(branch.steps, inner))];
      case 'parallel':
        return step.branches.flatMap((branch) => linesOf(branch.steps, inner));
    }
  });
}

/** What stands for one repeat, from 1; the last one goes on. */
export function nth<T>(all: readonly [T, ...T[]], repeat = 1): T {
  return all[Math.min(repeat, all.length) - 1] ?? all[0];
}

function stageLines(step: Stage, { answer, ...more }: Standing): Line[] {
  const asked = step.calls === null ? [] : [calls(step.path, 'subflow', { calls: [{ flow: step.calls, input: 'x' }] }, more)];
  const act = nth(step.acts, more.repeat);
  const said =
    answer === undefined || answer === 'none' || !mayPass(act) ? [] : [calls(step.path, 'continue', { answer, reason: 'so' }, more)];
  return [...asked, ...actLines(step.path, act, more), ...said];
}

export const mayPass = (act: Act): boolean => act === 'write' || act === 'late';

function actLines(path: string, act: Act, more: Line): Line[] {
  switch (act) {
    case 'write':
      return [wrote(path, '{}', more), stops(path, more)];
    case 'late':
      return [stops(path, more), wrote(path, '{}', more), stops(path, more)];
    case 'refuse':
      return [calls(path, 'refuse', { reason: 'it is not right' }, more)];
    case 'nothing':
      return [];
    case 'broken':
      return [{ stage: path, stop: 'error', status: 401, message: 'who are you', ...more }];
    case 'unfit':
      return [wrote(path, 'no', more), stops(path, more)];
    case 'shut':
      return [wrote(path, '{"it":"shut"}', more), stops(path, more)];
  }
}

function chooseLines({ path, manner, chosen, branches }: Choose, more: Line): Line[] {
  const select = (name: string): Line => calls(path, 'select', { name, reason: 'so' }, more);
  const right = select(branches[chosen]?.name ?? '');
  return { right: [right], corrected: [select('nobody'), right], wrong: [select('nobody')], never: [] }[manner];
}
