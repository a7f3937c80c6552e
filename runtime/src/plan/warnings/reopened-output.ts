import { executablesOf, scriptOf, type WarningRule } from './warning.js';

/** `> /dev/stderr`, `>/proc/self/fd/1` and the like, but not `>>`. */
const REOPENED = /(^|[^>])>\s*["']?(\/dev\/(stderr|stdout|fd\/[12])|\/proc\/self\/fd\/[12])\b/;

/** What a program prints is captured in a file; opening that file anew by its device name empties it. */
export const outputReopened: WarningRule = ({ assembly, stages }) =>
  stages
    .flatMap(executablesOf)
    .filter((executable) => REOPENED.test(scriptOf(executable, assembly) ?? ''))
    .map(({ path }) => ({
      path,
      message: 'It writes to > /dev/stderr or the like, which throws away what was printed before. Write >&2 (or >&1) instead.',
    }));
