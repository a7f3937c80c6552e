import { escapeControls, escapeName } from '@gated-flow/text';
import type { Paint } from '../color.js';
import { table } from '../check/table.js';
import type { ModelsDocument, Place } from './document.js';
import type { ModelRow, ShownPrice } from './row.js';

/** What was found, for a person (M-2). Safe for a terminal, not yet redacted. `width` is in columns. */
export function modelsText(document: ModelsDocument, style: { readonly width: number; readonly paint: Paint }): string {
  const { bold } = style.paint;
  const lines = [
    heading(document, style.paint),
    '',
    bold('Where a stage that names no model gets one, the first that is there:'),
    ...laidOut(document.discovery.map(placeCells), style.width),
  ];
  if (document.rows.length > 0) {
    lines.push('', bold(`Rows of ${escapeName(`${document.home ?? ''}/config.yaml`)}:`));
    lines.push(...laidOut(document.rows.map(rowCells), style.width));
  }
  const all = document.default?.from === 'environment' ? [document.default, ...document.rows] : document.rows;
  const faults = all.filter(({ usable }) => !usable).map((row) => faultLine(row, style.paint));
  return `${[...lines, ...(faults.length === 0 ? [] : ['', ...faults])].join('\n')}\n`;
}

function heading({ default: found }: ModelsDocument, { bold, red }: Paint): string {
  if (found === null) return red('default   none found');
  const name = `default   ${bold(escapeName(`${found.provider}/${found.model}`))}   ${foundBy(found.from, found.found)}`;
  return [name, ...factLines(found)].join('\n');
}

function foundBy(from: string, found: string): string {
  return from === 'home' ? `by the row ${escapeName(found)}` : `by ${escapeName(found)}`;
}

function factLines(row: ModelRow): string[] {
  const price = row.price === null ? ['price unknown: give its row price: {input: …, output: …}'] : priceLines(row.price);
  const context = row.context === null ? [] : [`context ${row.context.toLocaleString('en-US')} tokens`];
  const asked = row.address === null ? [] : [`asked at ${escapeName(row.address)}`];
  return [...price, ...context, ...asked].map((line) => `          ${line}`);
}

function priceLines(price: ShownPrice): string[] {
  const where = price.source === 'row' ? 'its row' : `the table of ${price.date}${price.until === null ? '' : `, until ${price.until}`}`;
  const cached = price.cache_read === null ? '' : `, ${dollars(price.cache_read)} cached`;
  const long = price.long_prompt;
  return [
    `${dollars(price.input)} in${cached}, ${dollars(price.output)} out, a million tokens (${where})`,
    ...(long === null
      ? []
      : [`${dollars(long.input)} in, ${dollars(long.output)} out with a prompt over ${long.tokens.toLocaleString('en-US')} tokens`]),
  ];
}

/** `$2`, `$0.10`, `$0.125`: nothing is rounded away. */
function dollars(amount: number): string {
  const text = String(amount);
  return `$${/\.\d$/.test(text) ? `${text}0` : text}`;
}

function placeCells({ place, name, state, provider, model, detail }: Place): readonly string[] {
  const what = { row: `row ${escapeName(name)}`, variable: escapeName(name), ollama: `Ollama at ${escapeName(name)}` }[place];
  const absent = place === 'variable' ? 'not set' : 'none';
  const says = { wins: 'chosen', 'passed-over': place === 'variable' ? 'set' : 'there', absent }[state];
  const offer =
    state === 'absent' || provider === null ? (detail === null ? '' : escapeControls(detail)) : escapeName(`${provider}/${model}`);
  return [what, says, offer];
}

function rowCells(row: ModelRow): readonly string[] {
  const reasoning = row.reasoning === null ? '' : `reasoning ${row.reasoning}`;
  const key = row.key === null ? '' : `${escapeName(row.key.variable)} ${row.key.present ? 'set' : 'not set'}`;
  const address = row.base_url === null ? '' : `at ${escapeName(row.base_url)}`;
  return [escapeName(row.name), escapeName(`${row.provider}/${row.model}`), reasoning, address, key, shortPrice(row.price)];
}

function shortPrice(price: ShownPrice | null): string {
  if (price === null) return '$?';
  return `${dollars(price.input)}/${dollars(price.output)} (${price.source === 'row' ? 'row' : price.date})`;
}

function faultLine({ name, problem, fix }: ModelRow, { red }: Paint): string {
  const repair = fix === null ? '' : `\n    ${escapeControls(fix)}`;
  return `${red('cannot be used')}   ${escapeName(name)}\n    ${escapeControls(problem ?? '')}${repair}`;
}

/** In columns where they fit the terminal, else each row's first cell above the others, as many to a line as fit. */
function laidOut(rows: readonly (readonly string[])[], width: number): readonly string[] {
  const lines = table(rows);
  if (lines.every((line) => line.length <= width)) return lines;
  return rows.flatMap(([first = '', ...others]) => [` ${first}`, ...filled(others, width)]);
}

function filled(cells: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const cell of cells.filter((each) => each !== '')) {
    const last = lines.at(-1);
    const longer = `${last ?? '  '}   ${cell}`;
    if (last !== undefined && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(`     ${cell}`);
  }
  return lines;
}
