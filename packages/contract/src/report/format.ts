import type { Contract } from '../contract.js';
import type { Check } from '../evaluate/check.js';
import type { JudgedLine } from '../runlog/judge-log.js';
import { githubFormat } from './github.js';
import { jsonFormat } from './json.js';
import { junitFormat } from './junit.js';
import { sarifFormat } from './sarif.js';
import type { LogSummary } from './summary.js';
import { textFormat } from './text.js';

/** What a report is about: the contract, and the log as it was named. */
export interface Subject {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly log: string;
}

/** A report that is written while the log is read; what it returns is printed at once. */
export interface ReportFormat {
  begin(): string;
  line(judged: JudgedLine): string;
  end(summary: LogSummary): string;
}

export const FORMATS: Readonly<Record<string, (subject: Subject) => ReportFormat>> = {
  text: textFormat,
  json: jsonFormat,
  junit: junitFormat,
  github: githubFormat,
  sarif: sarifFormat,
};
