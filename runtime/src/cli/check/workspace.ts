import { join } from 'node:path';
import type { Skill } from '@gated-flow/assembly';
import type { PlanRow } from '../../plan/plan.js';
import type { Prepared } from '../../plan/prepare.js';
import { withSkills } from '../../plan/rows/skills.js';
import type { Disk } from '../../ports/disk.js';

/** The plan as its agents will see it: under `local-context: use` the working tree's own skills join as the widest scope (S-7, G-9). */
export async function withWorkspaceSkills(prepared: Prepared, disk: Disk): Promise<Prepared> {
  if (!prepared.plan.rows.some(usesWorkspace)) return prepared;
  const { readWorkspace } = await import('../../prompt/workspace.js');
  const rows = await Promise.all(
    prepared.plan.rows.map(async (row): Promise<PlanRow> => {
      if (!usesWorkspace(row)) return row;
      const workdir = row.step?.type === 'STAGE' ? (row.step.workdir ?? '') : '';
      const { skills } = await readWorkspace(disk, join(prepared.workdir, workdir), 'use');
      const widest = skills.map(({ name, description, folder }): Skill => ({ name, description, path: folder }));
      return { ...row, skills: withSkills(widest, row.skills) };
    }),
  );
  return { ...prepared, plan: { ...prepared.plan, rows } };
}

function usesWorkspace({ options, output }: PlanRow): boolean {
  return output !== null && options['local-context'].value === 'use';
}
