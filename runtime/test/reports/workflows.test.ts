import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseYaml } from '@gated-flow/yaml';
import { describe, expect, it } from 'vitest';

const TOP = join(import.meta.dirname, '../../..');
const built = existsSync(join(TOP, 'runtime/dist/flow.js'));

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function stepsOf(text: string): readonly Step[] {
  const parsed = parseYaml(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const { jobs } = parsed.value as { readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> };
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

describe('workflows', () => {
  it('[I-7] those of this repository parse, and run what is there', () => {
    const folder = join(TOP, '.github/workflows');
    const steps = readdirSync(folder).flatMap((name) => stepsOf(readFileSync(join(folder, name), 'utf8')));
    const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run.trim()]));
    expect(commands).not.toEqual([]);
    for (const command of commands) expect(existsSync(join(TOP, command.split(' ', 1)[0] ?? '')), command).toBe(true);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
  });

  // It runs the built command, which `npm ci` makes.
  it.skipIf(!built)('[I-7] the steps of the one for users do what they say', () => {
    const page = readFileSync(join(TOP, 'docs/github-actions.md'), 'utf8');
    const workflow = /```yaml file=\.github\/workflows\/notes\.yml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const steps = stepsOf(workflow).filter(({ run, name }) => run !== undefined && name !== 'Install');
    expect(steps.map(({ name }) => name)).toEqual(['Check', 'Rehearse', 'Run', 'Reports']);

    const folder = mkdtempSync(join(tmpdir(), 'workflow-'));
    try {
      for (const inner of ['bin', 'notes', 'notes/.fixtures/pass', 'notes/.fixtures/fail'])
        mkdirSync(join(folder, inner), { recursive: true });
      writeFileSync(join(folder, 'notes/STAGE.md'), '---\n---\nWrite the release notes.\n');
      writeFileSync(join(folder, 'bin/flow'), `#!/bin/sh\nexec '${process.execPath}' '${join(TOP, 'runtime/bin/flow.mjs')}' "$@"\n`, {
        mode: 0o755,
      });
      // Stands in for the model and the history, which a test has not.
      writeFileSync(join(folder, 'bin/git'), '#!/bin/sh\necho "Labels in colour"\n', { mode: 0o755 });
      const summary = join(folder, 'summary.md');
      for (const { run = '', name } of steps) {
        const command = name === 'Run' ? run.replace('flow run ', 'flow run --rehearse ') : run;
        const env = {
          PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
          HOME: folder,
          FLOW_HOME: join(folder, 'flow-home'),
          GITHUB_ACTIONS: 'true',
        };
        const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', command], {
          cwd: folder,
          encoding: 'utf8',
          env: { ...env, GITHUB_WORKSPACE: folder, GITHUB_STEP_SUMMARY: summary },
        });
        expect([name, status, stderr]).toEqual([name, 0, expect.any(String)]);
      }
      expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toContain('Rehearsal of notes');
      expect(readdirSync(join(folder, 'reports')).sort()).toEqual(['junit.xml', 'report.md']);
      expect(readFileSync(summary, 'utf8').match(/^### ✓ /gm)).toHaveLength(3);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
