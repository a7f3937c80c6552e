/** What contains the programs and the file tools of one pass of a stage (I-13). */
import { dirname } from 'node:path';
import type { Executable } from '@gated-flow/assembly';
import type { Sandboxed } from '@gated-flow/record';
import { isWithin } from '../agent/tools/place.js';
import { realPlace } from '../agent/tools/real-place.js';
import type { Allows, ConfineDisk, Containment, Launcher } from '../ports/containment.js';
import type { Disk } from '../ports/disk.js';
import type { ProgramRequest, Programs } from '../ports/programs.js';
import { wrappingArguments } from './arguments.js';
import { allowsOf } from './confinement.js';
import { layoutOf, realOr, type RunPlaces } from './layout.js';
import { neutralPlaces, neutralReason } from './neutral.js';
import { arrange, type Place } from './places.js';
import { guardRepositories, type GuardedRepositories } from './repositories.js';

/** Shared by all stages of a run. */
export interface RunSandbox {
  readonly wish: Sandboxed;
  readonly launcher: Launcher;
  readonly confine: ConfineDisk;
  readonly places: RunPlaces;
  /** An empty file: absolute. */
  readonly emptyFile: string;
  /** A private folder, made when it is used. */
  readonly scratch: string;
}

/** The stage, as far as it matters here. Paths are absolute. */
export interface Contained {
  readonly pwd: string;
  readonly input: string;
  readonly output: string;
  readonly tmp: string;
  readonly allSlots: Readonly<Record<string, string>>;
  /** The run's copy of the assembly. */
  readonly copy: string;
}

export interface StageSandbox {
  /** The same programs, contained as the agent's commands are. */
  agent(programs: Programs): Programs;
  /** The same programs for a gate or a hook; uncontained unless the sandbox covers them. */
  executable(programs: Programs, executable: Executable): Programs;
  /** Where the agent's file tools may go, as things are now. Rejects with a DiskError. */
  rules(): Promise<Allows>;
  /** The disk for those tools, which may also take what is kept in a folder of the runtime's own. */
  disk(own: string): Disk;
}

export function stageSandbox(run: RunSandbox, stage: Contained): StageSandbox {
  // As they are before the agent's first command: a repository that it makes itself is its own.
  let known: Promise<GuardedRepositories> | null = null;
  const repositories = (): Promise<GuardedRepositories> => (known ??= guardRepositories(stage.pwd, run.places.disk));

  async function layout(writable: readonly string[]): Promise<readonly Place[]> {
    const readable = Object.values(stage.allSlots);
    const { places } = await repositories();
    return layoutOf(run.places, { pwd: stage.pwd, readable, writable, repositories: places });
  }

  async function within(cwd: string, writable: readonly string[], shown: readonly Place[] = []): Promise<Containment> {
    const places = arrange([...(await layout(writable)), ...shown]);
    const args = wrappingArguments({ places, network: run.wish.network, emptyFile: run.emptyFile, cwd });
    return { launcher: run.launcher, args, scratch: run.scratch };
  }

  /** Whatever it did to the repositories is put right before anything outside looks at them. */
  function wrap(programs: Programs, contain: (request: ProgramRequest) => Promise<ProgramRequest>): Programs {
    return {
      async run(request) {
        const result = await programs.run(await contain(request));
        await (await repositories()).restore();
        return result;
      },
      sweep: (owner, marker) => programs.sweep(owner, marker),
    };
  }

  const own = [dirname(stage.output), stage.tmp];

  async function rules(): Promise<Allows> {
    const roots = await Promise.all([stage.pwd, ...Object.values(stage.allSlots)].map((path) => realPlace(path, run.places.disk)));
    return allowsOf({ roots: roots.filter((root) => root !== null), places: arrange(await layout(own)) });
  }

  return {
    agent: (programs) => wrap(programs, async (request) => ({ ...request, within: await within(request.cwd, own) })),
    executable(programs, executable) {
      if (run.wish.covers !== 'all') return programs;
      const { file, places } = neutralPlaces(executable, stage.copy);
      return wrap(programs, async (request) => {
        const reason = neutralReason(request.env);
        const contained = await within(request.cwd, [...own, stage.input], [...places, ...reason.places]);
        return { ...request, env: reason.env, within: { ...contained, file } };
      });
    },
    rules,
    disk: (folder) =>
      run.confine(async () => {
        const allows = await rules();
        const real = await realOr(folder, run.places.disk);
        return (path, writes) => isWithin(path, real) || allows(path, writes);
      }),
  };
}
