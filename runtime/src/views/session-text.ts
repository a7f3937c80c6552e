import type { SessionLine } from '@gated-flow/record';
import { counted } from '@gated-flow/text';

/** One line of a session as people read a conversation. Redacted before; not escaped yet. */
export function sessionText(line: SessionLine): string {
  const heading = (title: string): string => `── ${line.ts.slice(11, 19)}  ${title}\n`;
  switch (line.kind) {
    case 'system':
      return `${heading('system')}${block(line.text)}\n`;
    case 'tools':
      return `${heading(counted(line.tools.length, 'tool'))}${block(line.tools.map(({ name, description }) => `${name}   ${description.split('\n', 1)[0] ?? ''}`).join('\n'))}\n`;
    case 'user':
      return `${heading(`user (${line.why})`)}${block(line.text)}\n`;
    case 'assistant': {
      const calls = line.calls.map(({ tool, input, malformed }) => `→ ${tool} ${malformed ?? JSON.stringify(input)}`);
      return `${heading(`assistant (${line.stop})`)}${block([line.text, ...calls].filter((part) => part !== '').join('\n'))}\n`;
    }
    case 'tool':
      return line.results
        .map(({ tool, output, error }) => `${heading(`${tool}${error === true ? ' failed' : ''}`)}${block(output)}\n`)
        .join('');
  }
}

function block(text: string): string {
  return text === '' ? '' : `${text.replace(/\n*$/, '')}\n`;
}
