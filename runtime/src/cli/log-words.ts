import { LOG_LEVELS, type LogLevel } from '../ports/log.js';

/** What the words ask of the runtime's log; null when they do not ask for one. A level that does not exist is left for the parser to refuse. */
export interface LogRequest {
  readonly level: LogLevel;
  /** Relative to the caller's directory; standard error when absent. */
  readonly file?: string;
}

/** Read before the command is loaded, so that loading it can be logged too. */
export function readLogWords(words: readonly string[]): LogRequest | null {
  const level = valueOf('--log-level', words);
  const file = valueOf('--log-file', words);
  if (level === undefined && file === undefined) return null;
  return { level: LOG_LEVELS.find((known) => known === level) ?? 'info', ...(file === undefined ? {} : { file }) };
}

/** The last value that the words give an option, before anything has parsed them. */
export function valueOf(option: string, words: readonly string[]): string | undefined {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  const joined = before.findLast((word) => word.startsWith(`${option}=`));
  if (joined !== undefined) return joined.slice(option.length + 1);
  const at = before.lastIndexOf(option);
  return at < 0 ? undefined : before[at + 1];
}
