/** What a host's hook asks, as our events (V-12). The forms of both hosts are the same but for a few names. */
import { canonicalTool } from '../match/names.js';
import type { FileToolEvent, PreToolEvent } from '../events.js';
import { type Fields, isFields, own, textIn } from '../contract/values.js';
import { asciiJson } from '../payload/ascii.js';
import { boundTranscript, parseNested } from '../payload/parse.js';
import { fileCalls } from './file-calls.js';

export const HOST_NAMES = ['claude-code', 'codex'] as const;
export type HostName = (typeof HOST_NAMES)[number];

export type HostEvent =
  /** A tool is about to run. `commandText` of a call that runs a shell text has to be read before the call is decided. */
  | { readonly is: 'call'; readonly name: string; readonly calls: readonly HostCall[] }
  /** A prompt was given. */
  | { readonly is: 'prompt'; readonly name: string; readonly text: string }
  /** The agent is about to stop; `again` when a hook has sent it back already. */
  | { readonly is: 'stop'; readonly name: string; readonly output: string; readonly again: boolean }
  /** Nothing that is decided here. */
  | { readonly is: 'other'; readonly name: string };

export type HostCall =
  | { readonly is: 'file'; readonly event: FileToolEvent }
  | { readonly is: 'command'; readonly event: Omit<PreToolEvent, 'command'>; readonly commandText: string }
  | { readonly is: 'tool'; readonly event: PreToolEvent };

export type HostEventResult = { readonly ok: true; readonly event: HostEvent } | { readonly ok: false; readonly message: string };

/** Reads the JSON that a hook of the host gets. A call that cannot be understood is no event: whoever asks has to stop it. */
export function readHostEvent(payload: unknown): HostEventResult {
  if (!isFields(payload)) return { ok: false, message: 'The event has to be a JSON object.' };
  const name = textIn(payload, 'hook_event_name');
  if (name === undefined) return { ok: false, message: 'The event has no "hook_event_name".' };
  switch (name) {
    case 'PreToolUse':
    case 'PermissionRequest':
      return callEvent(payload, name);
    case 'UserPromptSubmit': {
      const text = textIn(payload, 'prompt');
      return text === undefined
        ? { ok: false, message: 'The event has no "prompt".' }
        : { ok: true, event: { is: 'prompt', name, text: promptText(text) } };
    }
    case 'Stop':
    case 'SubagentStop':
      return {
        ok: true,
        event: {
          is: 'stop',
          name,
          output: textIn(payload, 'last_assistant_message') ?? '',
          again: own(payload, 'stop_hook_active') === true,
        },
      };
    default:
      return { ok: true, event: { is: 'other', name } };
  }
}

/** A prompt may be the transcript of a recording: as text it is bounded like one (V-11). */
function promptText(text: string): string {
  return boundTranscript(text);
}

function callEvent(payload: Fields, name: string): HostEventResult {
  const tool = textIn(payload, 'tool_name');
  if (tool === undefined || tool === '') return { ok: false, message: 'The event has no "tool_name".' };
  const given = argumentsOf(payload);
  if (!given.ok) return given;
  const fields = isFields(given.value) ? given.value : {};
  const kind = canonicalTool(tool);
  if (kind === 'bash') return { ok: true, event: { is: 'call', name, calls: [commandCall(tool, given.value, fields)] } };
  if (kind === 'read' || kind === 'write' || kind === 'edit') {
    const files = fileCalls({ tool, kind, cwd: textIn(payload, 'cwd') ?? '/', fields });
    if (files.length === 0) return { ok: false, message: `The call of ${tool} names no file, so it cannot be judged.` };
    return { ok: true, event: { is: 'call', name, calls: files.map((event) => ({ is: 'file', event })) } };
  }
  const event: PreToolEvent = { stage: 'pre_tool', tool, arguments: given.value };
  return { ok: true, event: { is: 'call', name, calls: [{ is: 'tool', event }] } };
}

type Arguments = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** Some hosts give the arguments as JSON in a text. */
function argumentsOf(payload: Fields): Arguments {
  const value = own(payload, 'tool_input') ?? {};
  if (typeof value !== 'string') return { ok: true, value };
  const nested = /^\s*[[{]/.test(value) ? parseNested(value) : null;
  return nested?.ok ? nested : { ok: true, value: { command: value } };
}

/** The shell text of a call. Where there is none the arguments themselves are judged as a text that cannot be read. */
function commandCall(tool: string, given: unknown, fields: Fields): HostCall {
  const event = { stage: 'pre_tool' as const, tool, arguments: given };
  const found = ['command', 'cmd', 'script', 'input', 'code'].map((key) => own(fields, key)).find((value) => value !== undefined);
  if (typeof found === 'string') return { is: 'command', event, commandText: found };
  if (Array.isArray(found) && found.every((word) => typeof word === 'string'))
    return { is: 'command', event, commandText: found.map(quoted).join(' ') };
  const text = asciiJson(given);
  return {
    is: 'tool',
    event: { ...event, command: { text, read: { ok: false, message: `The call of ${tool} has no command that can be read.` } } },
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
