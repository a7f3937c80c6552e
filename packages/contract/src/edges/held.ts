/** `enforce` and the middleware with this machine's clock, audit file, judges and alerts. */
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Contract } from '../contract.js';
import type { ContractConfig } from '../discover.js';
import type { HostFact } from '../evaluate/ports.js';
import { prepare } from '../evaluate/prepare.js';
import type { PreparedContract } from '../evaluate/prepare.js';
import { enforceWith } from '../session/enforce.js';
import type { EnforceOptions, EnforcePorts } from '../session/enforce.js';
import type { Held } from '../session/streamed.js';
import { middlewareWith } from '../session/middleware.js';
import type { ContractMiddleware, MiddlewareOptions } from '../session/middleware.js';
import { alert } from './alerts.js';
import { openAuditFile } from './audit-file.js';
import { readProjectConfig } from './disk.js';
import { newIdentity } from './identity.js';
import { openJudging } from './judging.js';
import type { JudgingOptions } from './judging.js';
import { pluginWorkers } from './plugins.js';
import type { Environment } from './web.js';

export interface HostOptions extends Omit<JudgingOptions, 'env' | 'config'> {
  /** Sentences the host decides. */
  readonly facts?: readonly HostFact[];
  /** Where audit entries are appended; `.agentcontract/audit.jsonl` when left out. There is no way not to write them. */
  readonly audit?: string;
  /** Signs the entries; `AGENTCONTRACT_AUDIT_KEY` when left out. */
  readonly auditKey?: string;
  /** Is told of `halt_and_alert`, by POST and by a shell command. */
  readonly webhook?: string;
  readonly alertCommand?: string;
  readonly env?: Environment;
}

/**
 * `enforceWith` on this machine. What an option leaves open is taken from `.agentcontract/config.yaml` in the working directory.
 * Rejects, before anything runs, when that file or a chosen judge cannot be used.
 */
export async function enforce<Given extends readonly unknown[], Result>(
  contract: Contract,
  agent: (...given: Given) => Result | PromiseLike<Result>,
  options: EnforceOptions<Given, Result> & HostOptions = {},
): Promise<(...given: Given) => Held<Result>> {
  const config = await configOf();
  return enforceWith(await prepared(contract, options, config), agent, { options, ports: portsOf(options, config) });
}

/** A middleware for the AI SDK's `wrapLanguageModel`, on this machine, by the same options and config. */
export async function contractMiddleware(contract: Contract, options: MiddlewareOptions & HostOptions = {}): Promise<ContractMiddleware> {
  const config = await configOf();
  return middlewareWith(await prepared(contract, options, config), { options, ports: portsOf(options, config) });
}

async function configOf(): Promise<ContractConfig> {
  const read = await readProjectConfig(process.cwd());
  if (!read.ok) throw new Error(read.message);
  return read.config;
}

function prepared(contract: Contract, options: HostOptions, config: ContractConfig): Promise<PreparedContract> {
  const env = options.env ?? process.env;
  const found = openJudging({ ...options, config, env });
  if (!found.ok) return Promise.reject(new Error(found.message));
  const plugins = pluginWorkers({ env, print: (text) => void process.stderr.write(text) });
  return prepare(contract, {
    plugins,
    ...(options.facts === undefined ? {} : { facts: options.facts }),
    ...(found.judging === undefined ? {} : { judging: found.judging }),
  });
}

function portsOf(options: HostOptions, config: ContractConfig): EnforcePorts {
  const env = options.env ?? process.env;
  const file = openAuditFile(
    resolve(options.audit ?? config.audit ?? '.agentcontract/audit.jsonl'),
    options.auditKey ?? (env['AGENTCONTRACT_AUDIT_KEY'] || undefined),
  );
  const webhook = options.webhook ?? config.webhook;
  const alertCommand = options.alertCommand ?? config.alertCommand;
  return {
    now: () => performance.now(),
    identity: newIdentity,
    audit: (report) => file.append([report]),
    alert: (report) =>
      alert(report, {
        env,
        print: (line) => void process.stderr.write(`${line}\n`),
        ...(webhook === undefined ? {} : { webhook }),
        ...(alertCommand === undefined ? {} : { command: alertCommand }),
      }),
  };
}
