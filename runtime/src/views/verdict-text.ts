import type { Difference, Verdict } from '@gated-flow/record';
import { counted } from './figures.js';

/** What a verification found, for people. Neither redacted nor escaped yet. */
export function verdictText(verdict: Verdict, run: string): string {
  const { differences, lines, files, children } = verdict;
  const looked = [counted(lines, 'event'), counted(files, 'file'), ...(children === 0 ? [] : [counted(children, 'child run')])].join(', ');
  if (verdict.verified) {
    return `${run} is whole: ${looked}. ${SIGNATURES[verdict.signature]}\nrecord.jsonl  sha256 ${verdict.record_sha256}\n`;
  }
  const head = verdict.state === 'incomplete' ? `${run} is incomplete: ${looked}.` : `${run} is not as it was sealed: ${looked}.`;
  return `${head}\n${differences.map(differenceText).join('')}${counted(differences.length, 'difference')}\n`;
}

const SIGNATURES: Readonly<Record<Verdict['signature'], string>> = {
  absent: 'It is not signed: whoever could rewrite all of it could also seal it again.',
  unchecked: 'It is signed; --key PUB checks by whom.',
  good: 'Its signature is good.',
  bad: '',
};

/** One difference, on lines of its own. */
export function differenceText({ path, line, rule, message, expected, found }: Difference): string {
  const place = line === undefined ? path : `${path}, line ${line}`;
  const hashes = expected === undefined ? '' : `      expected ${expected}\n      found    ${found ?? 'nothing'}\n`;
  return `  ${place} ${message} (${rule})\n${hashes}`;
}
