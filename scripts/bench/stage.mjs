#!/usr/bin/env node
// With --with-langgraph FOLDER, a node of LangGraph.js with the SQLite checkpointer runs beside it; FOLDER is where
// `npm i @langchain/langgraph @langchain/langgraph-checkpoint-sqlite @langchain/core` was done.
import { appendFileSync, closeSync, fdatasyncSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { bench, flow, interleaved, median } from '../lib/bench.mjs';
import { at, makeAssembly, makeScript, newestRecord } from '../lib/bench-assembly.mjs';
import { langGraphNode } from '../lib/bench-langgraph.mjs';

const rounds = 5;

await bench({
  name: '[Q-3] one scripted stage, no gate, record durable',
  async measure(scratch) {
    const stages = { ten: [], many: [] };
    const contenders = {
      ten: await stagesOf(10, scratch, stages.ten),
      many: await stagesOf(1000, scratch, stages.many),
      bare: () => bareStage(scratch),
    };
    const folder = process.argv[process.argv.indexOf('--with-langgraph') + 1];
    if (process.argv.includes('--with-langgraph')) contenders.langGraph = await langGraphNode(folder, scratch);
    const times = await interleaved(contenders, rounds);
    const [ten, many, bare] = [median(times.ten), median(times.many), median(times.bare)];
    const other = times.langGraph ? `; a LangGraph.js node with SQLite ${median(times.langGraph).toFixed(2)} ms` : '';
    return {
      figures: [
        { name: 'the median stage of 1,000', value: median(stages.many), unit: ' ms', target: 5 },
        { name: 'the median stage of 10', value: median(stages.ten), unit: ' ms', target: 5 },
        { name: 'a stage of 10 on average, the first one’s warming up included', value: ten, unit: ' ms' },
        { name: 'a stage of 1,000 against one of 10', value: many / ten, unit: '×', target: 1.15 },
        { name: 'a stage of 10 against a bare durable append of the same lines', value: ten / bare, unit: '×' },
      ],
      beside: `bare durable append ${bare.toFixed(2)} ms a stage${other}; ${rounds} rounds in turn`,
    };
  },
});

/**
 * Milliseconds a stage, from the first stage's start to the last one's end, so that starting node is not in it. Each single stage's,
 * from its start to the next one's, is added to `each`.
 */
async function stagesOf(count, scratch, each) {
  const assembly = await makeAssembly(join(scratch, `of-${count}`), { stages: count });
  const script = await makeScript(join(scratch, `of-${count}.jsonl`), count);
  return async () => {
    flow(['run', '--script', script, assembly, 'go'], scratch);
    const record = await newestRecord(join(scratch, 'home'));
    const starts = record.filter(({ event }) => event === 'stage_start');
    const ends = record.filter(({ event }) => event === 'stage_end');
    if (ends.length !== count) throw new Error(`${ends.length} of ${count} stages ended`);
    starts.slice(1).forEach((start, index) => each.push(at(start) - at(starts[index])));
    return (at(ends.at(-1)) - at(starts[0])) / count;
  };
}

/** What durability itself costs here: per stage the eight lines and one small file, synced as the record is. */
function bareStage(scratch) {
  const stages = 100;
  const record = openSync(join(scratch, 'bare.jsonl'), 'a');
  const began = performance.now();
  for (let stage = 0; stage < stages; stage++) {
    for (let event = 0; event < 8; event++) appendFileSync(record, `${JSON.stringify({ stage, event, text: 'x'.repeat(300) })}\n`);
    const output = openSync(join(scratch, `bare-${stage}`), 'w');
    writeFileSync(output, 'x');
    fdatasyncSync(output);
    closeSync(output);
    fdatasyncSync(record);
  }
  const took = (performance.now() - began) / stages;
  closeSync(record);
  return took;
}
