import { scriptOf, type WarningRule } from './warning.js';

/** How scripts of the usual languages reach their first argument or `$OUTPUT`. */
const READS_OUTPUT =
  /\$\{?1\b|\$[@*]|\$\{[@*]|\bOUTPUT\b|\bshift\b|argv\b|\bARGV\b|@ARGV|\bos\.Args\b|\bsys\.argv\b|\bDeno\.args\b|\bcommandArgs\b|(?:^|[^.\w])arg\[/;

/** A gate that never looks at the output judges something else. */
export const gateIgnoresOutput: WarningRule = ({ assembly, stages }) =>
  stages
    .flatMap(({ gates }) => gates)
    .filter((gate) => {
      const code = scriptOf(gate, assembly);
      return code !== null && !READS_OUTPUT.test(code);
    })
    .map(({ path }) => ({
      path,
      message: 'It reads neither its first argument nor $OUTPUT, so it judges something other than the output. Use "$1".',
    }));
