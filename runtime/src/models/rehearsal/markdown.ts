import type { SlimType } from '@gated-flow/assembly';
import { splitFrontMatter } from '@gated-flow/yaml';

/** A document that follows the template: its keys with values of their types, its text, and a line under every heading (M-6). */
export function fillTemplate(template: string, line: string): string {
  const split = splitFrontMatter(Buffer.from(template), { fences: 'optional' });
  if (!split.ok) return template;
  const keys = Object.entries(split.data).map(([key, type]) => `${yamlKey(key)}: ${sampleOf(type)}\n`);
  const front = keys.length === 0 ? '' : `---\n${keys.join('')}---\n`;
  return `${front}${filledBody(split.bodyText, line)}`;
}

const SAMPLES: Readonly<Record<SlimType, string>> = {
  ...{ str: 'rehearsal', int: '1', float: '1.5', bool: 'true' },
  ...{ list: '[rehearsal]', date: '2026-01-01' },
};

function sampleOf(type: unknown): string {
  return Object.entries(SAMPLES).find(([name]) => name === type)?.[1] ?? 'rehearsal';
}

/** JSON's quotes are YAML's too; a key such as `yes: no` or `1` needs them. */
function yamlKey(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) && !/^(?:true|false|null)$/i.test(key) ? key : JSON.stringify(key);
}

function filledBody(body: string, line: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  let headings = 0;
  for (const written of body.split('\n')) {
    lines.push(written);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(written)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    if (fence !== undefined || !/^ {0,3}#{1,6}(?:[ \t]|\r?$)/.test(written)) continue;
    headings += 1;
    lines.push('', line);
  }
  return headings > 0 ? lines.join('\n') : `${body}${body === '' || body.endsWith('\n') ? '' : '\n'}${line}\n`;
}
