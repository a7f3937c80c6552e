import type { Refusal } from '@gated-flow/assembly';
import { splitFrontMatter } from '@gated-flow/yaml';
import { refuseUnknownKeys } from '../config/faults.js';
import { INHERITABLE_KEYS, readInheritable } from '../options/inheritable.js';
import type { PreparePorts } from '../prepare.js';
import { found, refused, type Resolved } from '../refusal.js';
import { extensionOf, readRequestFile } from './file.js';
import type { ReadRequest } from './read.js';

/** `--task FILE`: front matter that may set the inheritable keys, and a body that is the request (O-3). */
export async function readTask(name: string, ports: Pick<PreparePorts, 'cwd' | 'disk'>): Promise<Resolved<ReadRequest>> {
  const file = await readRequestFile(name, ports);
  if (!file.ok) return file;
  const split = splitFrontMatter(file.value, { fences: 'optional' });
  if (!split.ok) return refused(fault('frontmatter-invalid', `${name}, line ${split.line}: ${split.message}`));

  const refusals: Refusal[] = [];
  const add = (code: Refusal['code'], [key = '']: readonly string[], message: string): void => {
    const line = split.keyLine(key);
    refusals.push(fault(code, `${name}${line === undefined ? '' : `, line ${line}`}: ${message}`));
  };
  refuseUnknownKeys(split.data, { keys: INHERITABLE_KEYS, path: [] }, { add });
  const options = readInheritable(split.data);
  for (const { key, message } of options.faults) add('value-invalid', [key], message);
  if (split.bodyText.trim() === '') refusals.push(fault('request-invalid', `${name} has no body; the body is the request.`));
  if (refusals.length > 0) return refused(...refusals);
  return found({ request: { bytes: split.body, extension: extensionOf(name), from: 'task' }, task: options.value });
}

function fault(code: Refusal['code'], message: string): Refusal {
  return { code, path: 'request', message };
}
