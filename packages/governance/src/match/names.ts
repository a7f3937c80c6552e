import { nameMatches } from '@gated-flow/text';

/** Names separated by `|`, in which `*` stands for any characters (V-2). */
export interface Names {
  has(name: string): boolean;
}

/**
 * What hosts call their tools, lower case, and the name that stands for all of them here (V-2). A name that is not there
 * stands for itself. Printed by `flow governance check`.
 */
export const TOOL_NAMES: Readonly<Record<string, readonly string[]>> = {
  bash: [
    ...['bash', 'powershell', 'pwsh', 'shell', 'sh', 'zsh', 'cmd', 'terminal', 'local_shell', 'exec', 'exec_command', 'unified_exec'],
    ...['run_command', 'run_shell_command', 'execute_command', 'container.exec'],
  ],
  read: [
    'read',
    'read_file',
    'readfile',
    'view',
    'view_file',
    'open_file',
    'notebookread',
    'view_image',
    'grep',
    'glob',
    'ls',
    'list',
    'list_dir',
    'search_files',
  ],
  write: ['write', 'write_file', 'writefile', 'create', 'create_file'],
  edit: [
    ...['edit', 'edit_file', 'multiedit', 'notebookedit', 'notebook_edit', 'apply_patch', 'str_replace', 'replace', 'patch'],
    ...['str_replace_editor', 'str_replace_based_edit_tool', 'delete_file'],
  ],
};

const CANONICAL = new Map(Object.entries(TOOL_NAMES).flatMap(([name, hosts]) => hosts.map((host) => [host, name] as const)));

/** `bash` for `PowerShell`; the name itself in lower case where the map does not have it. */
export function canonicalTool(name: string): string {
  const lower = name.toLowerCase();
  return CANONICAL.get(lower) ?? lower;
}

/** Names of tools, whatever their case and whatever host they come from: `Bash|PowerShell` has `exec_command`. */
export function toolNames(written: string): Names {
  const fits = oneOf(alternatives(written).map((name) => (name.includes('*') ? name.toLowerCase() : canonicalTool(name))));
  return { has: (name) => fits(canonicalTool(name)) || fits(name.toLowerCase()) };
}

/** Names of programs, as a shell finds them: the case counts. */
export function programNames(written: string): Names {
  return { has: oneOf(alternatives(written)) };
}

/** Plain names are looked up, the others tried one after the other. */
function oneOf(wanted: readonly string[]): (name: string) => boolean {
  const plain = new Set(wanted.filter((name) => !name.includes('*')));
  const patterns = wanted.filter((name) => name.includes('*'));
  return (name) => plain.has(name) || patterns.some((pattern) => nameMatches(name, pattern));
}

function alternatives(written: string): readonly string[] {
  return written
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
