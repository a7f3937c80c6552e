/** The document of a run and of all its children (I-2). */
import { addUsage, noUsage, type RunView, type UsageSum } from '@gated-flow/record';
import { type ChildPorts, type ChildRun, readChild } from '../../record/child-run.js';
import type { OpenRun } from '../../record/find-run.js';
import { type RunState, runState } from '../../record/run-state.js';
import { documentText, safeJson } from '../../views/document.js';
import { childPorts, FOUND, type Reader } from '../reading.js';

interface At {
  readonly view: RunView;
  readonly run: OpenRun;
}

export function stateOf(view: RunView, run: OpenRun, reader: Reader): Promise<RunState> {
  return runState(run.outermost, view.ending?.cause ?? null, reader);
}

/** The document is streamed: a run's children together may be larger than memory. */
export async function printDocument({ view, run }: At, reader: Reader): Promise<number> {
  const { io, redactor } = reader;
  const state = await stateOf(view, run, reader);
  const head = documentText({ kind: 'flow.show', version: 1, folder: run.folder, state, ...view }, redactor);
  await io.out(`${head.replace(/\n\}\n$/, '')},\n  "children": [`);
  const sum: UsageSum = noUsage();
  addUsage(sum, view.usage);
  let between = '\n';
  for await (const { child, parent } of descendants({ view, run }, await childPorts(run, reader))) {
    if (io.outClosed.aborted) return FOUND;
    if (child.view !== null) addUsage(sum, child.view.usage);
    await io.out(between + safeJson(JSON.stringify(redactor.json(childDocument(child, { parent, run })))));
    between = ',\n';
  }
  await io.out(`${between === '\n' ? '' : '\n  '}],\n  "usage_with_children": ${JSON.stringify(sum)}\n}\n`);
  return FOUND;
}

interface Descendant {
  readonly child: ChildRun;
  /** The child run that called it; null when the run itself did. */
  readonly parent: OpenRun | null;
}

/** Every child below a run, each before those it called itself; one is read at a time. */
async function* descendants({ view, run }: At, ports: ChildPorts, parent: OpenRun | null = null): AsyncGenerator<Descendant> {
  for (const call of view.subflows) {
    const child = await readChild(run, call, ports);
    yield { child, parent };
    if (child.view !== null) yield* descendants({ view: child.view, run: child.run }, ports, child.run);
  }
}

function childDocument({ call, run, state, view }: ChildRun, { parent, run: outer }: { parent: OpenRun | null; run: OpenRun }): object {
  const placeOf = (of: OpenRun): string => of.folder.slice(outer.folder.length + 1);
  const said = run.within.slice(outer.within.length).join('/');
  return { place: placeOf(run), child: said, parent: parent === null ? null : placeOf(parent), state, call, view };
}
