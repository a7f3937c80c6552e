/** What a walk lets be done, done in one run: its stages, its choices and the children of its fan-outs. */
import { extname, join } from 'node:path';
import type { Choose, Fanout, Flow, Stage } from '@gated-flow/assembly';
import { isUtf8 } from '@gated-flow/text';
import { stopped } from '../stage/ending.js';
import { runStage } from '../stage/run.js';
import type { Given, RunScope } from '../stage/scope.js';
import type { Chosen, ItemEnded, ItemRun, Pass, Performer, Walked } from '../walk/walk.js';

/** `tmp` is the flow's own `$TMP`, when its stages share one (S-5). */
export function performerOf(scope: RunScope, tmp: string | undefined): Performer {
  return {
    runStage: (stage, pass) => walkedStage(scope, stage, { ...pass, tmp }),
    choose: (choose, pass) => chosen(scope, choose, { ...pass, tmp }),
    runItem: (fanout, item) => runItem(scope, fanout, item),
    async readText({ file }) {
      const bytes = await scope.ports.disk.read(file);
      return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : null;
    },
    record: (fact) => scope.recorder.append(scope.redactor.json(fact)),
    stopped() {
      const reason = scope.stop.reason();
      return reason === null ? null : stopped(reason);
    },
  };
}

type At = Pass & { readonly tmp: string | undefined };

async function walkedStage(scope: RunScope, stage: Stage, at: At): Promise<Walked> {
  const { ending, output, answer } = await runStage(scope, stage, at);
  if (output === null) return { ending, stage: stage.path, outputs: null };
  const given: Given = { name: `${stage.name}${extname(output.path)}`, file: join(scope.folder, output.path), sha256: output.sha256 };
  return { ending, stage: stage.path, outputs: [given], ...(answer === undefined ? {} : { answer }) };
}

/** The agent of a choice is held as a stage's is; what it leaves is a selection instead of an output (G-4). A question is not its own. */
async function chosen(scope: RunScope, choose: Choose, { given, repeat, tmp }: At): Promise<Chosen> {
  const select = choose.alternatives.map(({ name }) => name);
  const { ending, selection } = await runStage(scope, choosingStage(choose), { given, repeat, tmp, select });
  return selection === undefined ? { ok: false, ending } : { ok: true, name: selection.name };
}

function choosingStage({ name, path, entry, sentinel, options, skills, prompt }: Choose): Stage {
  return {
    type: 'STAGE',
    ...{ name, path, entry, sentinel, options, skills, body: prompt },
    ...{ checklist: [], gates: [], hooks: {}, subflows: [] },
  };
}

async function runItem(scope: RunScope, fanout: Fanout, { n, id, request }: ItemRun): Promise<ItemEnded> {
  const { cause, exit, reason, output } = await scope.children.run({
    flow: fannedOut(scope, fanout),
    caller: { stage: fanout.path, retry: 1 },
    n,
    item: id,
    request: { name: 'request.json', bytes: Buffer.from(request) },
  });
  return {
    ...{ cause, exit },
    ...(reason === undefined ? {} : { reason }),
    output: output && { name: `${id}${extname(output.file)}`, file: output.file, sha256: output.sha256 },
  };
}

/** Found among the flow's subflows, else among the assembly's: the same that the reading found (G-6). */
function fannedOut({ flow, assembly }: RunScope, { subflow, path }: Fanout): Flow {
  const found = [...flow.subflows, ...assembly.subflows].find(({ name }) => name === subflow);
  if (!found) throw new Error(`${path} names ${subflow}, which is no subflow`);
  return found;
}
