import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TemplateFile } from '../templates/layout.js';

/** Every file of a template of this package, in no order. Throws when the package was not installed whole. */
export function readTemplate(name: string): readonly TemplateFile[] {
  return filesBelow(join(templatesFolder(), name), '');
}

/** Beside `dist/` in a package, beside `src/` in its sources. */
function templatesFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    if (existsSync(join(at, 'templates/minimal/ASSEMBLY.md'))) return join(at, 'templates');
    if (dirname(at) === at) throw new Error('the templates are missing from this installation');
  }
}

function filesBelow(root: string, path: string): TemplateFile[] {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, below);
    return entry.isFile() ? [{ path: below, bytes: readFileSync(join(root, below)) }] : [];
  });
}
