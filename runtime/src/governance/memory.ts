/** The lanes of memory, as an agent's calls meet them (V-7). */
import { decideMemory, indexOf, isMemory, readCommands } from '@gated-flow/governance';
import type { GovernanceContract, MemoryEvent, MemoryVerdict } from '@gated-flow/governance';
import type { ToolOutput } from '../agent/tools/tool.js';
import type { Caller } from '../permit/link.js';
import type { CallEvent } from './call-events.js';
import { namesOf } from './paths.js';

/** What one agent may see of memory, by what it has read so far. */
export interface MemoryDesk {
  /** What the lanes say of the call's files; null where it touches no memory. */
  judge(events: readonly CallEvent[], caller: Caller): Promise<MemorySight | null>;
}

export interface MemorySight {
  /** The strictest of what the lanes say. */
  readonly verdict: MemoryVerdict;
  /** Told what came of the call: an index was read only when its reading went well. */
  settle(output: ToolOutput): void;
}

export function openMemory({ memory, lane }: GovernanceContract): MemoryDesk {
  const indexesRead = new Set<string>();
  return {
    async judge(events, caller) {
      if (memory.length === 0) return null;
      const touched: MemoryEvent[] = [];
      for (const event of events) touched.push(...(await memoryEvents(event, caller)));
      const held = touched.filter(({ paths }) => isMemory(memory, paths));
      if (held.length === 0) return null;
      const verdicts = held.map((event) => decideMemory(memory, { ...event, lane, indexesRead: [...indexesRead] }));
      const found = (wanted: MemoryVerdict['decision']): MemoryVerdict | undefined => verdicts.find(({ decision }) => decision === wanted);
      return {
        verdict: found('deny') ?? found('cross_reference_allowed') ?? { decision: 'allow', hits: [] },
        settle({ error }) {
          if (error) return;
          for (const { paths, operation } of held) {
            const index = operation === 'read' ? indexOf(memory, paths) : null;
            if (index !== null) indexesRead.add(index);
          }
        },
      };
    },
  };
}

/** A command may write whatever it names. */
async function memoryEvents(event: CallEvent, caller: Caller): Promise<readonly MemoryEvent[]> {
  const about = { stage: 'memory_access', lane: null, indexesRead: [] } as const;
  if (event.stage === 'schema_aware_file_tool') return [{ ...about, operation: event.operation, paths: event.paths }];
  if (event.command === undefined) return [];
  const words = new Set(readCommands(event.command).commands.flatMap(({ paths }) => paths));
  return Promise.all([...words].map(async (word) => ({ ...about, operation: 'edit' as const, paths: await namesOf(word, caller) })));
}
