/** Judged files for people: a line each, and what was said about those that did not go as expected. Not redacted, and escaped only in names, which stay on their line. */
import { counted, escapeName } from '@gated-flow/text';
import { exitOf, type JudgedFile, type StageProof } from '../gate/proof.js';
import { indent } from './indent.js';

export function stageHeader({ stage, name, checks, not_tried }: StageProof): string {
  const untried = not_tried.map((check) => `, ${check} (judges the agent, not a file)`).join('');
  return `${stage === '.' ? name : stage}   ${checks.join(', ')}${untried}\n`;
}

export const NO_FILE = '   no file to try: .fixtures/pass/ and .fixtures/fail/ hold none\n';

export interface FileTelling {
  /** Columns of the longest file name. */
  readonly widest: number;
  /** Columns of the terminal. */
  readonly width: number;
  /** Also all that was said about what went as expected. */
  readonly whole: boolean;
}

export function fileText(judged: JudgedFile, { widest, width, whole }: FileTelling): string {
  const { file, as_expected: well, text } = judged;
  const head = ` ${well ? '✓' : '✗'} ${escapeName(file).padEnd(widest)}   ${outcome(judged)}`;
  if (text === undefined || text.trim() === '') return `${head}\n`;
  if (!well || whole) return `${head}\n${indent(text.replace(/\n+$/, ''), 5)}\n`;
  const [line = ''] = text.trim().split('\n', 1);
  return `${shortened(`${head}: ${line}`, Math.max(width - 1, head.length + 2))}\n`;
}

/** Cut by characters, as a terminal counts them. */
function shortened(line: string, columns: number): string {
  const characters = [...line];
  return characters.length <= columns ? line : `${characters.slice(0, columns - 1).join('')}…`;
}

function outcome({ verdict, expected, check = 'a check' }: JudgedFile): string {
  switch (verdict) {
    case 'pass':
      return expected === 'pass' ? 'passes' : 'passes, and should not';
    case 'fail':
      return `${check} says no${expected === 'fail' ? '' : ', and should not'}`;
    case 'blocked':
      return `${check} found something outside in the way (exit 75)`;
    case 'fault':
      return `${check} is broken`;
    case 'timeout':
      return `${check} ran out of time`;
  }
}

/** The last lines. `folderOf` names a stage's folder in a command line from here. */
export function proofText(proofs: readonly StageProof[], folderOf: (stage: string) => string): string {
  const files = proofs.flatMap((proof) => proof.files);
  const well = files.filter(({ as_expected }) => as_expected).length;
  const unshown = proofs.flatMap(({ stage, never_failed }) =>
    never_failed.map((gate) => `${gate} was never shown to fail: put a bad output in ${folderOf(stage)}/.fixtures/fail/\n`),
  );
  const broken = exitOf(proofs) === 2 ? ' A check is broken: that says nothing about the file.' : '';
  const count =
    files.length === 1
      ? `The file ${well === 1 ? 'went' : 'did not go'} as expected.`
      : `${well} of ${counted(files.length, 'file')} as expected.`;
  return `${unshown.join('')}${count}${broken}\n`;
}
