import { resolve } from 'node:path';
import { openAuditFile } from '../edges/audit-file.js';
import type { AuditFile } from '../edges/audit-file.js';
import { chunksOf } from '../edges/disk.js';
import { newIdentity } from '../edges/identity.js';
import { openJudging } from '../edges/judging.js';
import { pluginWorkers } from '../edges/plugins.js';
import type { RunningPlugins } from '../edges/plugins.js';
import type { EvaluationPorts } from '../evaluate/ports.js';
import { prepare } from '../evaluate/prepare.js';
import { FORMATS } from '../report/format.js';
import { createSummary, exitOf } from '../report/summary.js';
import type { JudgedLine } from '../runlog/judge-log.js';
import { logJudge } from '../runlog/judge-log.js';
import { linesOf } from '../runlog/lines.js';
import type { Line } from '../runlog/lines.js';
import type { Arguments, CommandIo, CommandModule } from './command.js';
import { Misuse } from './command.js';
import { auditKey, choiceOf, contractOf, contractPath, hostFacts, projectConfig } from './reading.js';

/** Judges a log line by line, in flat memory (C-11). */
export const validate: CommandModule = {
  async run(given, io) {
    const { contract: named, log } = wordsOf(given, io.program);
    const format = choiceOf(given, 'format', Object.keys(FORMATS));
    const unevaluated = given.flag('strict') ? 'fail' : choiceOf(given, 'unevaluated', ['report', 'fail']) === 'fail' ? 'fail' : 'report';
    const contract = await contractOf(await contractPath(named, io), given, io);
    if (contract === null) return 2;
    const plugins = pluginWorkers({ env: io.env, print: io.err });
    try {
      const prepared = await prepare(contract, await portsOf(given, { io, plugins }));
      const everyReport = given.text('audit') !== undefined;
      const judge = logJudge(prepared, {
        everyReport,
        unevaluated,
        identity: newIdentity,
        agentModel: given.text('agent-model') ?? null,
      });
      const report = FORMATS[format]?.({ contract, checks: prepared.checks, log });
      if (!report) throw new Misuse(`There is no format ${format}.`);
      const audit = await auditOf(given, io);
      const summary = createSummary();
      let unwritten: string | null = null;
      const chunks = log === '-' ? io.stdin() : await chunksOf(resolve(io.cwd, log));
      await io.out(report.begin());
      for await (const lines of linesOf(chunks)) {
        const judged: JudgedLine[] = [];
        for (const line of lines) {
          const made = judgedLine(line, judge.judge);
          judged.push(made instanceof Promise ? await made : made);
        }
        let text = '';
        for (const each of judged) {
          summary.add(each);
          text += report.line(each);
        }
        if (text !== '') await io.out(text);
        unwritten ??= await appendTo(audit, judged);
      }
      await io.out(report.end(summary.summary()));
      if (unwritten === null) return exitOf(summary.summary());
      io.err(`${unwritten}\n`);
      return 2;
    } finally {
      await plugins.close();
    }
  },
};

function wordsOf({ words }: Arguments, program: string): { readonly contract?: string; readonly log: string } {
  const [first, second, third] = words;
  if (first === undefined || third !== undefined) throw new Misuse(`It is used so: ${program} validate [contract] <run-log>.`);
  return second === undefined ? { log: first } : { contract: first, log: second };
}

function judgedLine(line: Line, judge: (text: string, line: number) => JudgedLine | Promise<JudgedLine>): JudgedLine | Promise<JudgedLine> {
  return line.is === 'text' ? judge(line.text, line.number) : { is: 'malformed', line: line.number, message: line.message };
}

async function portsOf(given: Arguments, { io, plugins }: { io: CommandIo; plugins: RunningPlugins }): Promise<EvaluationPorts> {
  const facts = hostFacts(given);
  const config = await projectConfig(io);
  const judgeErrors = choiceOf(given, 'judge-errors', ['fail', 'warn']) === 'warn' ? 'warn' : 'fail';
  if (given.flag('no-judge')) return { facts, plugins, withoutJudge: 'no judge was wanted (--no-judge)' };
  const found = openJudging({ ...judgeWords(given), judgeErrors, config, env: io.env });
  if (!found.ok) throw new Misuse(found.message);
  if (found.judging) return { facts, plugins, judging: found.judging };
  return {
    facts,
    plugins,
    withoutJudge: 'there is no judge: name one with --judge, or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY',
  };
}

function judgeWords(given: Arguments): { judge?: string; judgeUrl?: string; judgeCache?: string } {
  const words = { judge: given.text('judge'), judgeUrl: given.text('judge-url'), judgeCache: given.text('judge-cache') };
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
}

/** Why the entries could not be written; null when they were. The runs that follow are judged all the same. */
async function appendTo(audit: AuditFile | undefined, judged: readonly JudgedLine[]): Promise<string | null> {
  const reports = judged.flatMap((each) => (each.is === 'judged' ? [each.report] : []));
  try {
    if (reports.length > 0) await audit?.append(reports);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'The audit cannot be written.';
  }
}

async function auditOf(given: Arguments, io: CommandIo): Promise<AuditFile | undefined> {
  const file = given.text('audit');
  return file === undefined ? undefined : openAuditFile(resolve(io.cwd, file), await auditKey(given, io));
}
