/** Where a finding stands in the assembly, looked up in the copy that the run has of it. */
import { join } from 'node:path';
import { ASSEMBLY_COPY, staysInside } from '@gated-flow/record';
import type { Finding } from './findings.js';
import type { ReportSource } from './source.js';

export type FileOf = (finding: Finding) => Promise<string | null>;

/** The path in the assembly of the file that a finding is about, else of its stage; null when neither is found. */
export function assemblyFiles({ run, view, disk }: Pick<ReportSource, 'run' | 'view' | 'disk'>): FileOf {
  const known = new Map<string, string | null>();
  const stands = async (path: string): Promise<boolean> =>
    staysInside(path) && (await disk.look(join(run.folder, ASSEMBLY_COPY, path)))?.kind === 'file';

  async function find(stage: string, file: string | null): Promise<string | null> {
    for (const folder of [`flows/${view.flow}/${stage}`, stage, `flows/${view.flow}`, null]) {
      const inside = (name: string): string => (folder === null ? name : `${folder}/${name}`);
      if (file !== null && (await stands(inside(file)))) return inside(file);
      if (await stands(inside('STAGE.md'))) return inside('STAGE.md');
      if (folder !== null && (await stands(`${folder}.md`))) return `${folder}.md`;
    }
    return null;
  }

  return async ({ at }) => {
    if (at === null) return null;
    const key = `${at.stage}\0${at.file ?? ''}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = await find(at.stage, at.file);
    known.set(key, made);
    return made;
  };
}
