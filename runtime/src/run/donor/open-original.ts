import { dirname, join } from 'node:path';
import { glanceAt } from '@gated-flow/record';
import { findRun } from '../../record/find-run.js';
import { type OpenedDonor, refusedDonor } from './donor.js';
import { type DonorPorts, openDonor } from './open-donor.js';

/** The same for a word that names a replay: what is meant is the run that was replayed, so that `latest` stays the word for it. */
export async function openOriginal(word: string, ports: DonorPorts): Promise<OpenedDonor> {
  const found = await findRun(word, ports);
  if (found.found !== 'one') return openDonor(word, ports);
  const { start = null } = (await glanceAt(found.run.folder)) ?? {};
  if (start?.model_source !== 'replay') return openDonor(word, ports);
  const original = join(dirname(found.run.folder), start.continued_from ?? '');
  const again = await glanceAt(original);
  if (again?.start && again.start.model_source !== 'replay') {
    const opened = await openDonor(original, ports);
    return opened.ok ? { ok: true, donor: { ...opened.donor, word: opened.donor.name } } : opened;
  }
  return refusedDonor(`${found.run.name} is a replay of ${start.continued_from ?? 'a run'}, which is no longer beside it.`);
}
