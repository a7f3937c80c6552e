import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

/** A chain of 100 nodes that each put one letter into the state, checkpointed to SQLite. The contender returns milliseconds a node. */
export async function langGraphNode(folder, scratch) {
  const from = createRequire(join(resolve(folder), 'package.json'));
  const load = (name) => import(pathToFileURL(from.resolve(name)).href);
  const { Annotation, END, START, StateGraph } = await load('@langchain/langgraph');
  const { SqliteSaver } = await load('@langchain/langgraph-checkpoint-sqlite');
  const nodes = 100;
  const graph = new StateGraph(Annotation.Root({ letter: Annotation() }));
  for (let n = 0; n < nodes; n++) graph.addNode(`n${n}`, async () => ({ letter: 'x' }));
  graph.addEdge(START, 'n0');
  for (let n = 1; n < nodes; n++) graph.addEdge(`n${n - 1}`, `n${n}`);
  graph.addEdge(`n${nodes - 1}`, END);
  let thread = 0;
  return async () => {
    const file = join(scratch, `langgraph-${thread}.sqlite`);
    const chain = graph.compile({ checkpointer: SqliteSaver.fromConnString(file) });
    const began = performance.now();
    await chain.invoke({ letter: '' }, { configurable: { thread_id: String(thread++) }, recursionLimit: nodes + 5 });
    const took = (performance.now() - began) / nodes;
    rmSync(file, { force: true });
    return took;
  };
}
