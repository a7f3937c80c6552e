import type { Difference, Verdict } from '@gated-flow/record';
import { counted, escapeName } from '@gated-flow/text';

/** Of a child run: the run that it is a part of, and where that stands; null when it does not stand around it. */
export interface Part {
  readonly run: string;
  readonly outermost: string | null;
}

/** What a verification found, for people. Neither redacted nor escaped yet. */
export function verdictText(verdict: Verdict, run: string, part: Part | null = null): string {
  const { differences, lines, files, children } = verdict;
  const looked = [counted(lines, 'event'), counted(files, 'file'), ...(children === 0 ? [] : [counted(children, 'child run')])].join(', ');
  if (verdict.verified) {
    return `${run} is whole: ${looked}. ${part === null ? SIGNATURES[verdict.signature] : partText(part)}\nrecord.jsonl  sha256 ${verdict.record_sha256}\n`;
  }
  const head = verdict.state === 'incomplete' ? `${run} is incomplete: ${looked}.` : `${run} is not as it was sealed: ${looked}.`;
  const about = part === null ? '' : `${partText(part)}\n`;
  return `${head}\n${about}${differences.map(differenceText).join('')}${counted(differences.length, 'difference')}\n`;
}

const SIGNATURES: Readonly<Record<Verdict['signature'], string>> = {
  absent: 'It is not signed: whoever could rewrite all of it could also seal it again.',
  unchecked: 'It is signed; --key PUB checks by whom.',
  good: 'Its signature is good.',
  bad: '',
};

/** One difference, on lines of its own: no name of a file makes another line. */
export function differenceText({ path, line, rule, message, expected, found }: Difference): string {
  const place = line === undefined ? escapeName(path) : `${escapeName(path)}, line ${line}`;
  const hashes = expected === undefined ? '' : `      expected ${expected}\n      found    ${found ?? 'nothing'}\n`;
  return `  ${place} ${message} (${rule})\n${hashes}`;
}

function partText({ run, outermost }: Part): string {
  const whole = outermost === null ? 'with that run alone' : `by flow verify ${outermost}`;
  return `It is a part of the run ${run}: its seals and the assembly's copy are that run's, and are proved ${whole}.`;
}
