import type { AgentIdentity, FailedTurn, Model, ModelRequest, Turn } from '../../ports/model.js';
import type { Clock } from '../../ports/clock.js';
import { failureOf } from '../failure.js';
import { unmet } from './expect.js';
import type { JudgeLine, Script, StageLine } from './line.js';

const WHO = { provider: 'scripted', model: 'script' } as const;
const NO_USAGE = { input: 0, output: 0, cache_read: 0, cache_write: 0 } as const;

export interface OpenScript {
  /** A model with a cursor of its own at the first line: one for every run, child runs included. */
  model(): Model;
  /** The next verdict on a clause, by its text; null when there is none left. Shared by all runs. */
  judge(clause: string): JudgeLine | null;
  /** The lines that none of the models was asked for, for `-v`. */
  leftOver(): readonly string[];
}

/** A script that several runs may play (M-5). */
export function openScript(script: Script, { clock }: { readonly clock: Clock }): OpenScript {
  const asked = new Set<StageLine | JudgeLine>();
  const left = (): readonly (StageLine | JudgeLine)[] => [...script.lines, ...script.judgements].filter((line) => !asked.has(line));
  return {
    model: () => scriptedModel(script, { clock, asked: (line) => asked.add(line) }),
    judge(clause) {
      const line = script.judgements.find((each) => !asked.has(each) && each.judge.trim() === clause.trim());
      if (line === undefined) return null;
      asked.add(line);
      return line;
    },
    leftOver: () => [...left()].sort((a, b) => a.line - b.line).map(named),
  };
}

interface Playing {
  readonly clock: Clock;
  asked(line: StageLine): void;
}

/** A stage's lines are used up in their order; a line that names a flow, an item or a repeat answers nobody else. */
function scriptedModel(script: Script, { clock, asked }: Playing): Model {
  const waiting = byStage(script.lines);

  function take(who: AgentIdentity): StageLine | undefined {
    const lines = waiting.get(who.stage) ?? [];
    const at = lines.findIndex((line) => answers(line, who));
    return at === -1 ? undefined : lines.splice(at, 1)[0];
  }

  async function play(who: AgentIdentity, request: ModelRequest): Promise<Turn> {
    if (request.signal.aborted) return failed('aborted', 'The turn was cut short.');
    const line = take(who);
    if (line === undefined) return { turn: 'answer', text: '', calls: [], stop: 'end', usage: NO_USAGE, costUsd: 0, ...WHO };
    asked(line);
    const missed = line.expect === undefined ? null : unmet(line.expect, request.messages, line.line);
    if (missed !== null) return failed('script', missed);
    if (line.delayMs > 0) await clock.sleep(line.delayMs, request.signal);
    if (request.signal.aborted) return failed('aborted', 'The turn was cut short.');
    return line.stop === 'error' ? providerFailure(line) : answer(line, line.stop);
  }

  return {
    source: 'scripted',
    open: (who) => ({ next: (request) => play(who, request) }),
  };
}

function byStage(lines: readonly StageLine[]): Map<string, StageLine[]> {
  const groups = new Map<string, StageLine[]>();
  for (const line of lines) {
    const group = groups.get(line.stage);
    if (group === undefined) groups.set(line.stage, [line]);
    else group.push(line);
  }
  return groups;
}

function answers(line: StageLine, who: AgentIdentity): boolean {
  return (
    (line.flow === undefined || line.flow === who.flow) &&
    (line.item === undefined || line.item === who.item) &&
    (line.repeat === undefined || line.repeat === who.repeat)
  );
}

function answer(line: StageLine, stop: 'end' | 'calls' | 'length'): Turn {
  const calls = line.calls.map((call, index) => ({ id: `call-${line.line}-${index + 1}`, tool: call.tool, input: call.input }));
  return { turn: 'answer', text: line.text, calls, stop, usage: line.usage, costUsd: 0, ...WHO };
}

function providerFailure(line: StageLine): FailedTurn {
  const message = line.message ?? 'The provider failed, as the script says.';
  const after = line.retryAfter === undefined ? {} : { retryAfterMs: line.retryAfter * 1000 };
  const status = line.status === undefined ? {} : { status: line.status };
  return { ...failed(failureOf(line.status, message), message), ...status, ...after };
}

function failed(failure: FailedTurn['failure'], message: string): FailedTurn {
  return { turn: 'failed', failure, message, ...WHO };
}

function named(line: {
  readonly line: number;
  readonly stage?: string;
  readonly judge?: string;
  readonly flow?: string;
  readonly repeat?: number;
}): string {
  const narrow = [line.flow === undefined ? '' : ` of ${line.flow}`, line.repeat === undefined ? '' : `, repeat ${line.repeat}`].join('');
  return line.stage === undefined
    ? `script:${line.line} for the judge: ${line.judge ?? ''}`
    : `script:${line.line} for ${line.stage}${narrow}`;
}
