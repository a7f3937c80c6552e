/** The files of a new assembly, from those of a template. Pure. */
import { identityFault } from '@gated-flow/assembly';

export interface TemplateFile {
  /** In the template's folder, `/`-separated. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface NewFile extends TemplateFile {
  readonly executable: boolean;
}

/** The flow of a template bears the template's name; that of a new assembly bears the new one's. Scripts can be executed, however the package was unpacked. */
export function layOut(
  files: readonly TemplateFile[],
  { template, name }: { readonly template: string; readonly name: string },
): readonly NewFile[] {
  const own = `flows/${template}/`;
  return files.map(({ path, bytes }) => ({
    path: path.startsWith(own) ? `flows/${name}/${path.slice(own.length)}` : path,
    bytes,
    executable: bytes[0] === 0x23 && bytes[1] === 0x21,
  }));
}

/** Why a folder's name cannot be that of a flow; null when it can. */
export function refuseName(name: string): string | null {
  if (name === '') return 'The root of the disk has no name that a flow could take.';
  if (name.startsWith('.')) return 'A name that begins with a dot is never read. Choose another name.';
  if (name === 'README.md') return 'README.md is the name of a text beside the flows. Choose another name.';
  return identityFault(name);
}
