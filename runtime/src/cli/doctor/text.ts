import { counted, escapeControls, escapeName } from '@gated-flow/text';
import { AREAS, type Area, type Finding } from '../../doctor/finding.js';
import type { Paint } from '../color.js';
import type { DoctorDocument } from './document.js';
import { wrapped } from './wrapped.js';

const TITLES: Readonly<Record<Area, string>> = {
  machine: 'This machine',
  folder: 'This folder',
  home: 'The home',
  config: 'Configuration',
  models: 'Models',
  network: 'Network',
  surroundings: 'Around it',
};
const VERDICT_COLUMNS = 9;
const MORE = ' '.repeat(VERDICT_COLUMNS + 2);
/** Names are not padded to more than this, nor where the terminal is narrow. */
const WIDEST_NAME = 34;
const NARROW = 60;

/** The findings for a person, area by area. Safe for a terminal, not yet redacted. `width` is in columns. */
export function doctorText(document: DoctorDocument, style: { readonly width: number; readonly paint: Paint }): string {
  const areas = AREAS.flatMap((area) => {
    const findings = document.findings.filter((finding) => finding.area === area);
    if (findings.length === 0) return [];
    const values = area === 'config' ? configLines(document, style.width) : [];
    const names = padding(
      findings.map(({ about }) => about),
      style.width,
    );
    return [style.paint.bold(TITLES[area]), ...findings.flatMap((finding) => findingLines(finding, { ...style, names })), ...values, ''];
  });
  return `${[...areas, verdictLine(document, style.paint)].join('\n')}\n`;
}

interface Column {
  readonly width: number;
  readonly paint: Paint;
  /** Columns of the names. */
  readonly names: number;
}

function padding(names: readonly string[], width: number): number {
  return width < NARROW ? 0 : Math.min(WIDEST_NAME, Math.max(0, ...names.map((name) => escapeName(name).length)));
}

function findingLines({ about, verdict, what, why, fix }: Finding, { width, paint, names }: Column): readonly string[] {
  const color = { ok: paint.green, note: paint.yellow, problem: paint.red }[verdict];
  const [first = '', ...others] = wrapped(`${escapeName(about).padEnd(names)}  ${escapeControls(what)}`, width - VERDICT_COLUMNS);
  return [
    `${color(verdict)}${' '.repeat(VERDICT_COLUMNS - verdict.length)}${first}`,
    ...others.map((line) => MORE + line),
    ...(why === undefined ? [] : wrapped(escapeControls(why), width - MORE.length).map((line) => MORE + line)),
    // A command stays in one line, so that it can be copied.
    ...(fix === undefined ? [] : [`${MORE}${paint.bold(escapeControls(fix))}`]),
  ];
}

function configLines({ config }: DoctorDocument, width: number): readonly string[] {
  const names = padding(
    config.map(({ key }) => key),
    width,
  );
  return config.flatMap(({ key, value, from }) => {
    const text = `${escapeName(key).padEnd(names)}  ${escapeControls(shown(value))} (${from})`;
    return wrapped(text, width - MORE.length).map((line, at) => ' '.repeat(at === 0 ? VERDICT_COLUMNS : VERDICT_COLUMNS + 4) + line);
  });
}

function shown(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function verdictLine({ findings, ready }: DoctorDocument, { red, green }: Paint): string {
  if (ready) return green('Nothing stands in the way of a run.');
  const problems = findings.filter(({ verdict }) => verdict === 'problem').length;
  return red(`${counted(problems, 'problem')} ${problems === 1 ? 'stands' : 'stand'} in the way of a run.`);
}
