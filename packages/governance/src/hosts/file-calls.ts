import { posix } from 'node:path';
import { type Fields, isFields, listIn, own, textIn } from '../contract/values.js';
import type { FileOperation, FileToolEvent } from '../events.js';

export interface FileCall {
  readonly tool: string;
  readonly kind: FileOperation;
  readonly cwd: string;
  readonly fields: Fields;
}

const PATH_KEYS = [
  'file_path',
  'path',
  'notebook_path',
  'filePath',
  'file',
  'filename',
  'target_file',
  'absolute_path',
  'dir_path',
  'directory',
  'glob',
];
/** Tools that look through folders: without a path it is the working folder. */
const SEARCHES = new Set(['grep', 'glob', 'ls', 'list', 'list_dir', 'search_files']);

/** The files a file tool reaches for, an event each; only their names and the operation are looked at (V-3). */
export function fileCalls(call: FileCall): readonly FileToolEvent[] {
  const patched = patchedFiles(call);
  if (patched.length > 0) return patched.map(([operation, path]) => eventOf(call, operation, path));
  const own_ = PATH_KEYS.flatMap((key) => textIn(call.fields, key) ?? []);
  const lists = ['paths', 'files', 'edits', 'file_paths'].flatMap((key) => listIn(call.fields, key)).flatMap(pathsIn);
  const paths = [...new Set([...own_, ...lists])];
  if (paths.length === 0 && SEARCHES.has(call.tool.toLowerCase())) return [eventOf(call, 'read', call.cwd)];
  return paths.map((path) => eventOf(call, operationOf(call), path));
}

function pathsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return isFields(value) ? PATH_KEYS.flatMap((key) => textIn(value, key) ?? []) : [];
}

/** One tool that reads, writes and edits says which by a command of its own. */
function operationOf({ kind, fields }: FileCall): FileOperation {
  const command = own(fields, 'command');
  if (command === 'view') return 'read';
  return command === 'create' ? 'write' : kind;
}

/** As given, absolute, and relative to the working folder where it lies in it. */
function eventOf({ tool, cwd }: FileCall, operation: FileOperation, path: string): FileToolEvent {
  const absolute = posix.resolve(cwd, path);
  const inside = posix.relative(cwd, absolute);
  const relative = inside === '' || inside === '..' || inside.startsWith('../') ? [] : [inside];
  return { stage: 'schema_aware_file_tool', tool, operation, paths: [...new Set([path, absolute, ...relative])] };
}

const PATCH_LINE = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/gm;
const DIFF_LINE = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\r\n]+)/gm;

/** A patch names its files in its own lines: those of `apply_patch`, or those of a unified diff. */
function patchedFiles({ fields }: FileCall): readonly (readonly [FileOperation, string])[] {
  const text = ['command', 'input', 'patch']
    .map((key) => own(fields, key))
    .find((value) => typeof value === 'string' && value.includes('\n'));
  if (typeof text !== 'string') return [];
  const named = [...text.matchAll(PATCH_LINE)].map(
    ([, verb, path = '']) => [verb === 'Add File' || verb === 'Move to' ? 'write' : 'edit', path] as const,
  );
  if (named.length > 0) return named;
  return [...text.matchAll(DIFF_LINE)].flatMap(([, path = '']) => (path === '/dev/null' ? [] : [['edit', path] as const]));
}
