/** Options whose value is the next word. */
const VALUED = /^(?:-[FvfilLoE]|--(?:field-separator|assign|file|include|load|exec))$/;
const TEXT = /^(?:-e|--source)$/;

/** Whether a program of awk starts others: by `system(…)`, or by a pipe, which in awk always leads to a command. */
export function awkStartsOthers(words: readonly string[]): boolean {
  if (words.some((word, i) => /^(?:-f|--file)$/.test(words[i - 1] ?? '') && isWritten(word))) return true;
  return programsOf(words).some((program) => {
    const code = program.replace(NO_CODE, (found) => (found.startsWith('"') ? '""' : ' '));
    return /\bsystem\s*\(/.test(code) || /(?<!\|)\|(?!\|)/.test(code);
  });
}

/** Texts, patterns and comments. */
const NO_CODE = /"(?:[^"\\\n]|\\[\s\S])*"|(?<=(?:^|[(,{};&|!~\n])\s*)\/(?:[^/\\\n]|\\.)+\/|#[^\n]*/g;

/** No file, but what another command writes. */
function isWritten(file: string): boolean {
  return /^(?:-$|<\(|\/dev\/|\/proc\/self\/fd\/)/.test(file);
}

function programsOf(words: readonly string[]): readonly string[] {
  const programs: string[] = [];
  let isInFile = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (TEXT.test(word)) programs.push(words[++at] ?? '');
    else if (/^--source=/.test(word)) programs.push(word.slice('--source='.length));
    else if (VALUED.test(word)) {
      isInFile ||= /^-(?:[fE]|-file|-exec)$/.test(word);
      at++;
    } else if (word === '-' || !word.startsWith('-')) {
      if (programs.length === 0 && !isInFile) programs.push(word);
      break;
    }
  }
  return programs;
}
