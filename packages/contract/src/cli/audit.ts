import { resolve } from 'node:path';
import { counted, escapeControls } from '@gated-flow/text';
import type { AuditVerdict } from '../audit/verify.js';
import { createAuditVerifier } from '../audit/verify.js';
import { chunksOf } from '../edges/disk.js';
import { linesOf } from '../runlog/lines.js';
import type { CommandModule } from './command.js';
import { Misuse } from './command.js';
import { auditKey, choiceOf } from './reading.js';

/** 0: every entry is as it was written. 1: some are not. 2: the file cannot be read. */
export const audit: CommandModule = {
  async run(given, io) {
    const [verb, file, more] = given.words;
    if (verb !== 'verify' || file === undefined || more !== undefined)
      throw new Misuse(`It is used so: ${io.program} audit verify <file>.`);
    const format = choiceOf(given, 'format', ['text', 'json']);
    const verifier = createAuditVerifier(await auditKey(given, io));
    for await (const lines of linesOf(await chunksOf(resolve(io.cwd, file)))) {
      for (const line of lines) {
        if (line.is === 'text') verifier.feed(line.text, { line: line.number, whole: line.whole });
        else verifier.feed('', { line: line.number, whole: true });
      }
    }
    const verdict = verifier.verdict();
    await io.out(
      format === 'json' ? `${JSON.stringify({ kind: 'agentcontract.audit', version: 1, file, ...verdict })}\n` : pageOf(file, verdict),
    );
    return verdict.faults.length === 0 ? 0 : 1;
  },
};

function pageOf(file: string, { entries, signed, keyed, chained, faults, last }: AuditVerdict): string {
  const notes = [
    ...(!keyed && signed > 0 ? [`${signed} signatures were not checked: there is no key ($AGENTCONTRACT_AUDIT_KEY or --key-file).`] : []),
    ...(!keyed && signed === 0 && entries > 0 ? ['No entry is signed: whoever can write the file can write all of it anew.'] : []),
    ...(!chained && entries > 0 ? ['The entries are not chained, so a missing one cannot be told.'] : []),
  ];
  const lines = [
    ...faults.map(({ line, is, message }) => `${file}:${line}: ${is}: ${message}`),
    ...notes,
    `${faults.length === 0 ? 'intact' : 'not intact'}: ${counted(entries, 'entry', 'entries')}${keyed ? `, ${signed} signed` : ''}, ${counted(faults.length, 'fault')}. The last is ${last}.`,
  ];
  return `${escapeControls(lines.join('\n'))}\n`;
}
