import { tool } from './program.mjs';

const formatter = 'prettier/bin/prettier.cjs';

export async function format() {
  const { code, output } = await tool(formatter, ['--check', '--log-level', 'warn', '.']);
  return { ok: code === 0, output };
}

export async function formatMustFail() {
  const { code, output } = await tool(formatter, ['--check', '--ignore-path', '.gitignore', 'scripts/check-fixtures/format']);
  return { ok: code === 1 && output.includes('loose.ts'), output };
}
