import type { Sandboxed } from '@gated-flow/record';

/** As typed: `--sandbox`, `--sandbox=all`, `--sandbox=none`, `--sandbox-net` (I-13). */
export interface SandboxWords {
  /** `agent`, `all` or `none`. */
  readonly sandbox?: string;
  readonly sandboxNet?: boolean;
}

export type SandboxWish = { readonly ok: true; readonly sandbox: Sandboxed | null } | { readonly ok: false; readonly message: string };

/** What is to run in a sandbox; null when nothing is. */
export function readSandboxWords({ sandbox, sandboxNet }: SandboxWords): SandboxWish {
  const network = sandboxNet === true;
  if (sandbox === undefined || sandbox === 'none') {
    return network
      ? { ok: false, message: '--sandbox-net opens the network of a sandbox: say --sandbox too.' }
      : { ok: true, sandbox: null };
  }
  if (sandbox === 'agent' || sandbox === 'all') return { ok: true, sandbox: { covers: sandbox, network } };
  return { ok: false, message: `--sandbox=${sandbox}: say --sandbox, --sandbox=all or --sandbox=none.` };
}

/** The words by which a later run asks for the same. */
export function sandboxWords(sandbox: Sandboxed | undefined): SandboxWords {
  return sandbox === undefined ? {} : { sandbox: sandbox.covers, ...(sandbox.network ? { sandboxNet: true } : {}) };
}

/** Half a sentence for a person: `sandbox: agent, no network`. */
export function sandboxPhrase({ covers, network }: Sandboxed): string {
  return `sandbox: ${covers === 'all' ? 'agent, hooks and gates' : 'agent'}, ${network ? 'with' : 'no'} network`;
}
