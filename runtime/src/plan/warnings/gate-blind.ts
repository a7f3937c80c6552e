import type { WarningRule } from './warning.js';

/** How scripts of the usual languages reach their first argument or `$OUTPUT`. */
const READS_OUTPUT =
  /\$\{?1\b|\$[@*]|\$\{[@*]|\bOUTPUT\b|\bshift\b|argv\b|\bARGV\b|@ARGV|\bos\.Args\b|\bsys\.argv\b|\bDeno\.args\b|\bcommandArgs\b|(?:^|[^.\w])arg\[/;

/** A gate that never looks at the output judges something else. */
export const gateIgnoresOutput: WarningRule = ({ assembly, stages }) =>
  stages.flatMap(({ gates }) =>
    gates.flatMap(({ path }) => {
      const entry = assembly.snapshot.entries.get(path);
      if (entry?.kind !== 'file' || entry.bytes === undefined || entry.bytes[0] !== 0x23 || entry.bytes[1] !== 0x21) return [];
      if (READS_OUTPUT.test(codeOf(entry.bytes))) return [];
      return [
        { path, message: 'It reads neither its first argument nor $OUTPUT, so it judges something other than the output. Use "$1".' },
      ];
    }),
  );

/** The text without lines that are only a comment. */
function codeOf(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .split('\n')
    .filter((line) => !/^\s*(?:#|\/\/)/.test(line))
    .join('\n');
}
