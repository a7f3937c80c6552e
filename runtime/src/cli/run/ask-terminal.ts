/** Asks the person at the terminal for leave (V-5). Nothing but a clear yes is one. */
import { escapeControls, type Redactor } from '@gated-flow/text';
import type { Approve } from '../../governance/approval/answer.js';
import { userName } from '../../io/user.js';
import type { Io } from '../command.js';

export interface TerminalAsking {
  readonly io: Pick<Io, 'env' | 'errIsTerminal' | 'inIsTerminal'>;
  readonly redactor: Redactor;
  /** Takes away what is painted, and holds back what would be. The answer lets it go on. */
  hush(): () => void;
}

/** Undefined where nobody sits at a terminal. */
export function askTerminal({ io, redactor, hush }: TerminalAsking): Approve | undefined {
  if (!io.errIsTerminal && !io.inIsTerminal) return undefined;
  return async (asked, signal) => {
    const { openTerminal } = await import('../../io/terminal.js');
    const { leaveText } = await import('../../views/leave-text.js');
    const resume = hush();
    const terminal = await openTerminal();
    if (terminal === null) {
      resume();
      return { answer: 'nobody' };
    }
    try {
      terminal.write(
        `\n${escapeControls(redactor.text(leaveText(asked)))}From another shell: flow approve ${asked.run} ${asked.id}\nGive leave? [y/N] `,
      );
      const line = await terminal.readLine(signal);
      if (line === null) {
        terminal.write('\n');
        // The end of the input is no answer to wait any longer for.
        return signal.aborted ? { answer: 'nobody' } : { answer: 'denied', by: userName(io.env), via: 'terminal' };
      }
      const isYes = /^\s*y(?:es)?\s*$/i.test(line);
      return { answer: isYes ? 'granted' : 'denied', by: userName(io.env), via: 'terminal' };
    } finally {
      terminal.close();
      resume();
    }
  };
}
