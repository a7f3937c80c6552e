import type { Assembly, Executable } from '@gated-flow/assembly';
import { scriptOf, type WarningRule } from './warning.js';

/** How scripts of the usual languages reach their first argument or `$OUTPUT`, themselves or by their library for arguments. */
const READS_OUTPUT =
  /\$\{?1\b|\$[@*]|\$\{[@*]|\bOUTPUT\b|\bshift\b|argv\b|\bARG[VF]\b|@ARGV|<>|\bos\.Args\b|\bsys\.argv\b|\bDeno\.args\b|\bcommandArgs\b|(?:^|[^.\w])arg\[|\b(?:argparse|optparse|fileinput|click|typer|docopt|getopts?|parseArgs|OptionParser)\b/;

/** `awk -f`, `sed -nf`, `jq -e -f`: the interpreter itself reads the file that the first argument names. */
const READ_BY_INTERPRETER = /^#![^\n]*\s-[A-Za-z]*f\s*(?:\n|$)/;

/** A gate that never looks at the output judges something else. */
export const gateIgnoresOutput: WarningRule = ({ assembly, stages }) =>
  stages
    .flatMap(({ gates }) => gates)
    .filter((gate) => ignoresOutput(gate, assembly))
    .map(({ path }) => ({
      path,
      message: 'It reads neither its first argument nor $OUTPUT, so it judges something other than the output. Use "$1".',
    }));

function ignoresOutput(gate: Executable, assembly: Assembly): boolean {
  const code = scriptOf(gate, assembly);
  const entry = assembly.snapshot.entries.get(gate.path);
  if (code === null || entry?.kind !== 'file') return false;
  return !READS_OUTPUT.test(code) && !READ_BY_INTERPRETER.test(new TextDecoder().decode(entry.head));
}
