import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.mjs';

/** The licence texts of every package that went into a bundle, as one text. `metafile` is esbuild's; `others` are folders of packages it does not know of. */
export async function thirdPartyLicences(metafile, others) {
  const folders = new Set(Object.keys(metafile.inputs).map(packageFolder).filter(Boolean));
  for (const folder of others) folders.add(folder);
  const parts = [];
  for (const folder of [...folders].sort()) parts.push(await licenceOf(join(root, folder)));
  return parts.join('\n\n') + '\n';
}

function packageFolder(input) {
  return /^(?:[^:]*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? (await readFile(join(folder, file), 'utf8')).trim() : `Licence: ${license}`;
  return `${name} ${version}\n${'-'.repeat(72)}\n${text}`;
}
