import { tool } from './program.mjs';

const compiler = 'typescript/bin/tsc';

export async function types() {
  const { code, output } = await tool(compiler, ['-p', '.', '--noEmit']);
  return { ok: code === 0, output };
}

export async function typesMustFail() {
  const { code, output } = await tool(compiler, ['-p', 'scripts/check-fixtures/types', '--noEmit']);
  return { ok: code !== 0 && output.includes('wrong.ts'), output };
}
