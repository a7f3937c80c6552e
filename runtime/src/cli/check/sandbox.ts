import { launcherFinder } from '../../io/sandbox/launcher.js';
import type { Preparation } from '../../plan/prepare.js';
import type { Disk } from '../../ports/disk.js';
import { findSandbox } from '../../run/sandbox.js';
import { readSandboxWords, sandboxPhrase, type SandboxWords } from '../../sandbox/wish.js';

interface Around {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk: Disk;
}

/** The same preparation, with a warning where a run with these words would be refused here; and what is contained, for a person (I-13). */
export async function withSandbox(
  preparation: Preparation,
  words: SandboxWords,
  { env, disk }: Around,
): Promise<{ readonly preparation: Preparation; readonly phrase: string | null }> {
  const wish = readSandboxWords(words);
  if (!wish.ok) {
    const refusal = { code: 'value-invalid', path: 'command', message: wish.message } as const;
    const refusals = preparation.ok ? [refusal] : [...preparation.refusals, refusal];
    return { preparation: { ok: false, refusals, source: preparation.ok ? preparation.plan.source : preparation.source }, phrase: null };
  }
  if (wish.sandbox === null || !preparation.ok) return { preparation, phrase: null };
  const found = await findSandbox(wish.sandbox, preparation, { env, disk, findLauncher: launcherFinder(env) });
  const warnings = found.ok
    ? found.notice === null
      ? []
      : [{ path: 'command', message: found.notice }]
    : found.refusals.map(({ path, message, fix }) => ({ path, message, ...(fix === undefined ? {} : { fix }) }));
  const plan = { ...preparation.plan, warnings: [...preparation.plan.warnings, ...warnings] };
  return { preparation: { ...preparation, plan }, phrase: sandboxPhrase(wish.sandbox) };
}
