/** The formats of `flow report`, each with the name of its file. Another one is a row here. */
import { join } from 'node:path';
import { assemblyFiles } from './assembly-file.js';
import { findingsOf } from './findings.js';
import { createRanking, inRepository } from './github/annotations.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { type Envelope, otlpReport } from './otlp/document.js';
import { runSpans, type Tracing, traceOf } from './otlp/run-spans.js';
import type { Attributes } from './otlp/span.js';
import { runFiles } from './run-files.js';
import { runlog } from './runlog.js';
import type { ReportSource, RunPart } from './source.js';
import type { Words } from './words.js';

export interface ReportRequest extends ReportSource {
  readonly words: Words;
  /** A new walk through the run and its children. */
  parts(): AsyncIterable<RunPart>;
  /** Absolute: files in it are named as the repository names them. */
  readonly repository: string;
  readonly resource: Attributes;
  /** Of the program. */
  readonly version: string;
  readonly contents: boolean;
}

export interface ReportFormat {
  readonly name: string;
  readonly file: string;
  /** Whether it is made of commands for the log of a job. */
  readonly commands: boolean;
  write(request: ReportRequest): AsyncIterable<string>;
}

export const FORMATS: readonly ReportFormat[] = [
  { name: 'junit', file: 'junit.xml', commands: false, write: ({ parts, words }) => junitReport(parts(), words) },
  { name: 'github', file: 'annotations.txt', commands: true, write: githubReport },
  { name: 'markdown', file: 'report.md', commands: false, write: markdownFile },
  {
    name: 'otlp',
    file: 'otlp.json',
    commands: false,
    write: (request) => otlpReport(runSpans(request, tracing(request)), envelopeOf(request)),
  },
  {
    name: 'runlog',
    file: 'runlog.jsonl',
    commands: false,
    write: ({ run, disk, redactor }) => runlog(runFiles(run.folder, disk), redactor),
  },
];

async function* githubReport(request: ReportRequest): AsyncGenerator<string> {
  yield await annotationsOf(request);
}

/** The workflow commands of a run. */
export async function annotationsOf(request: Omit<ReportRequest, 'resource' | 'version' | 'contents'>): Promise<string> {
  const ranking = createRanking();
  const fileOf = assemblyFiles(request);
  for await (const finding of findingsOf(request.parts(), request.words)) {
    const file = await fileOf(finding);
    const place = file === null ? null : inRepository(join(request.view.assembly, request.words.clean(file)), request.repository);
    ranking.add({ ...finding, file: place, line: place === null ? null : 1 });
  }
  return ranking.commands(`flow show ${request.run.word} tells all of it.`);
}

async function* markdownFile({ parts, words }: ReportRequest): AsyncGenerator<string> {
  yield await markdownReport(parts(), words);
}

/** A report is the same whoever asks for it: it has no caller's span. */
function tracing({ contents }: ReportRequest): Tracing {
  return { parent: null, contents };
}

function envelopeOf({ resource, version, redactor, ...source }: ReportRequest): Envelope {
  return { trace: traceOf(source, null), resource, version, redactor, remote: null };
}
