import { createRedactor } from '@gated-flow/text';
import { expect, it } from 'vitest';
import { checkDocument } from '../../src/cli/check/document.js';
import { refusalText } from '../../src/cli/refusals.js';

const style = { redactor: createRedactor(['hunter2hunter2']), color: false, width: 100 };

it('[A-18] the text form: code, path, the indented sentence, the fix beside it, how many', () => {
  expect(
    refusalText(
      [
        {
          code: 'hook-duplicate',
          path: 'flows/triage/02-draft',
          message: 'Both before.sh and before.py would run before the agent. Keep one.',
        },
        {
          code: 'not-runnable',
          path: 'flows/triage/03-verify/gate/02-sections',
          message: 'It has no executable bit.',
          fix: 'chmod +x ./a/gate',
        },
      ],
      style,
    ),
  ).toBe(`hook-duplicate   flows/triage/02-draft
    Both before.sh and before.py would run before the agent. Keep one.
not-runnable     flows/triage/03-verify/gate/02-sections
    It has no executable bit.    chmod +x ./a/gate
2 faults: nothing was run.
`);
});

it('[A-18] a fix that does not fit stands below', () => {
  const text = refusalText([{ code: 'symlink', path: 'a', message: 'm'.repeat(90), fix: 'rm a-long-enough-name' }], style);
  expect(text).toBe(`symlink   a\n    ${'m'.repeat(90)}\n    rm a-long-enough-name\n1 fault: nothing was run.\n`);
});

it('[A-18 I-3] nothing found in a folder reaches the terminal with control sequences, and no path breaks a line', () => {
  const text = refusalText([{ code: 'entry-unknown', path: 'a\u001b[31m\nb\u202e', message: 'x\u0007\u009by', fix: 'rm \u001b' }], style);
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(text.split('\n')).toHaveLength(4);
});

it('[S-2 A-18] secrets are withheld in both forms', () => {
  const refusals = [{ code: 'request-invalid', path: 'request', message: 'no file hunter2hunter2', fix: 'rm hunter2hunter2' }] as const;
  expect(refusalText(refusals, style)).not.toContain('hunter2');
  const document = checkDocument('a', { ok: false, refusals, source: null });
  expect(style.redactor.json(document).refusals).toEqual([
    { code: 'request-invalid', path: 'request', message: 'no file ***', fix: 'rm ***' },
  ]);
});
