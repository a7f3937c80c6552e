import { forEachChild, parse } from 'unbash';
import type { Command as CommandNode, Redirection, SyntaxNode } from 'unbash';
import { commandOf } from './command.js';
import type { Argument, Command, Redirect } from './command.js';
import { innerOf } from './inner.js';
import type { ShellResult } from './reader.js';
import { argumentOf, hereDocument, sourceOf } from './words.js';

/** Substitutions, groups and texts inside texts: what people write stays far below. */
const MAX_DEPTH = 200;
/** What a program that starts another one counts for: nobody chains more than a few. */
const STARTED_DEPTH = 10;

/** What was read so far. The first fault is the answer, and ends the reading. */
interface Findings {
  readonly commands: Command[];
  fault?: string;
}

/** The commands of a text that a strict parser has already accepted. */
export function commandsOf(text: string): ShellResult {
  const findings: Findings = { commands: [] };
  readText(text, findings, 0);
  return findings.fault === undefined ? { ok: true, commands: findings.commands } : { ok: false, message: findings.fault };
}

function readText(text: string, findings: Findings, depth: number): void {
  visit(parse(text), { source: text, findings, depth });
}

interface Place {
  /** What the nodes' positions count in. */
  readonly source: string;
  readonly findings: Findings;
  readonly depth: number;
}

function visit(node: SyntaxNode, place: Place): void {
  const { findings } = place;
  findings.fault ??= faultOf(node, place.depth);
  if (findings.fault !== undefined) return;
  const source = node.type === 'Script' ? (node.source ?? place.source) : place.source;
  const inside = { source, findings, depth: place.depth + 1 };
  if (node.type === 'Command') readCommand(node, inside);
  if (node.type === 'Redirected') findings.commands.push(onlyRedirects(node.redirects, source));
  forEachChild(node, (child) => visit(child, inside));
}

function faultOf(node: SyntaxNode, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (node.type === 'Script' && node.errors?.[0]) return `The shell text cannot be parsed: ${node.errors[0].message.replace(/\.$/, '')}.`;
  const isSubstitution = node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution';
  return isSubstitution && !node.script ? `The substitution ${node.text} cannot be parsed.` : undefined;
}

const TOO_DEEP = 'The shell text is nested too deeply.';

function readCommand(node: CommandNode, place: Place): void {
  const { source, findings } = place;
  if (node.name) {
    const words = [node.name, ...node.args].map((word) => argumentOf(word, source));
    start(words, redirectsOf(node.redirects, source), place);
  } else if (node.redirects.length > 0) {
    findings.commands.push(onlyRedirects(node.redirects, source));
  }
}

/** Notes the command, and whatever it starts in turn. */
function start(words: readonly Argument[], redirects: readonly Redirect[], { source, findings, depth }: Place): void {
  if (depth > MAX_DEPTH) findings.fault ??= TOO_DEEP;
  if (findings.fault !== undefined) return;
  const command = commandOf(words, redirects);
  findings.commands.push(command);
  for (const inner of innerOf(command, words.slice(1))) {
    if (inner.kind === 'words') start(inner.words, [], { source, findings, depth: depth + STARTED_DEPTH });
    else if (inner.kind === 'text') readText(inner.text, findings, depth + STARTED_DEPTH);
    else findings.commands.push({ program: null, name: null, args: [], text: command.text, redirects: [] });
  }
}

/** A redirection without a program opens its file as the null command `:` would. */
function onlyRedirects(redirections: readonly Redirection[], source: string): Command {
  const text = redirections.map((redirection) => sourceOf(redirection, source)).join(' ');
  return { program: ':', name: ':', args: [], text, redirects: redirectsOf(redirections, source) };
}

function redirectsOf(redirections: readonly Redirection[], source: string): Redirect[] {
  return redirections.map((redirection) => {
    const op = redirection.operator;
    if (redirection.type === 'HereDoc') return { op, target: hereDocument(redirection) };
    return { op, target: redirection.target ? argumentOf(redirection.target, source).value : null };
  });
}
