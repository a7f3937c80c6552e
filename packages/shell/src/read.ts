import { forEachChild, parse } from 'unbash';
import type { Assignment, Command as CommandNode, Pipeline, Redirection, SyntaxNode } from 'unbash';
import { commandOf } from './command.js';
import type { Argument, Command, Redirect } from './command.js';
import { givenTexts, startedTexts, variableText } from './given.js';
import { wordsGuessed } from './guess.js';
import { innerOf, quoted } from './inner.js';
import type { Inner } from './inner.js';
import { learn, nothingKnown, withPositional, WORD_BREAK } from './known.js';
import type { Known } from './known.js';
import type { ReadOptions, ShellResult } from './reader.js';
import { argumentOf, guessedArguments, guessedValue, hereDocument, outputOf, sourceOf } from './words.js';

/** Substitutions, groups and texts inside texts: what people write stays far below. */
const MAX_DEPTH = 200;
/** What a program that starts another one counts for: nobody chains more than a few. */
const STARTED_DEPTH = 10;
/** Aliases of aliases and the like can make a short text endless. */
const MAX_COMMANDS = 50_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** What was read so far. The first fault is the answer, and ends the reading. */
interface Findings {
  readonly commands: Command[];
  characters: number;
  fault?: string;
}

/** The commands of a text that a strict parser has already accepted. */
export function commandsOf(text: string, { guess = false }: ReadOptions): ShellResult {
  const findings: Findings = { commands: [], characters: 0 };
  const known = guess ? nothingKnown() : undefined;
  readText(text, { source: text, findings, depth: 0, known, input: undefined, statement: undefined });
  return findings.fault === undefined ? { ok: true, commands: findings.commands } : { ok: false, message: findings.fault };
}

interface Place {
  /** What the nodes' positions count in. */
  readonly source: string;
  readonly findings: Findings;
  readonly depth: number;
  /** Present when guesses are wanted. */
  readonly known: Known | undefined;
  /** What the commands here read from a pipe, if that can be told. */
  readonly input: string | undefined;
  /** The source of the statement around. */
  readonly statement: string | undefined;
}

function readText(text: string, place: Place): void {
  const { findings, known } = place;
  findings.characters += text.length;
  if (findings.characters > MAX_CHARACTERS) findings.fault ??= TOO_MUCH;
  if (findings.fault !== undefined) return;
  const script = parse(text);
  if (known && !script.errors?.[0]) learn(script, known, (word) => guessedValue(word, (name) => known.variables.get(name)?.[0]));
  visit(script, { ...place, source: text });
}

function visit(node: SyntaxNode, place: Place): void {
  const { findings } = place;
  findings.fault ??= faultOf(node, place);
  if (findings.fault !== undefined) return;
  const source = node.type === 'Script' ? (node.source ?? place.source) : place.source;
  const statement = node.type === 'Statement' ? sourceOf(node, source) : place.statement;
  const inside = { ...place, source, statement, depth: place.depth + 1 };
  if (node.type === 'Command') readCommand(node, inside);
  if (node.type === 'Assignment') readVariable(node, inside);
  if (node.type === 'Redirected') findings.commands.push(onlyRedirects(node.redirects, inside));
  if (node.type === 'Pipeline' && place.known) readPipeline(node, inside);
  else forEachChild(node, (child) => visit(child, inside));
}

function faultOf(node: SyntaxNode, { depth, findings }: Place): string | undefined {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (findings.commands.length > MAX_COMMANDS) return TOO_MUCH;
  if (node.type === 'Script' && node.errors?.[0]) return `The shell text cannot be parsed: ${node.errors[0].message.replace(/\.$/, '')}.`;
  const isSubstitution = node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution';
  return isSubstitution && !node.script ? `The substitution ${node.text} cannot be parsed.` : undefined;
}

const TOO_DEEP = 'The shell text is nested too deeply.';
const TOO_MUCH = 'The shell text stands for too many commands.';

/** Each command reads what the one before writes. */
function readPipeline(node: Pipeline, place: Place): void {
  let input = place.input;
  for (const command of node.commands) {
    visit(command, { ...place, input });
    input = writtenBy(command, { ...place, input });
  }
}

/** `GIT_PAGER='…' git log`: what a variable holds is run by the program that reads it. */
function readVariable({ name, value }: Assignment, place: Place): void {
  if (!place.known || value.type !== 'Word') return;
  const text = variableText(name, guessedValue(value, pickOf(place.known)) ?? '');
  for (const inner of startedTexts(text === null ? [] : [text])) follow(inner, place);
}

function writtenBy(node: SyntaxNode, place: Place): string | undefined {
  if (node.type !== 'Command' || !node.name) return undefined;
  const words = node.args.flatMap((arg) => guessedArguments(arg, place.source, pickOf(place.known)));
  if (words.some(({ uncertain }) => uncertain)) return undefined;
  const redirects = redirectsOf(node.redirects, place);
  if (/^(?:cat|tee)$/.test(node.name.value)) {
    const given = redirects.filter(({ op }) => op.startsWith('<')).at(-1);
    if (given) return given.op.startsWith('<<') && words.length === 0 ? (given.target ?? undefined) : undefined;
    return node.name.value === 'tee' || words.length === 0 ? place.input : undefined;
  }
  return outputOf(
    node.name.value,
    words.map(({ value }) => value ?? ''),
  );
}

function pickOf(known: Known | undefined): (name: string) => string | undefined {
  return (name) => known?.variables.get(name)?.[0];
}

function readCommand(node: CommandNode, place: Place): void {
  if (node.name) {
    const redirects = redirectsOf(node.redirects, place);
    const nodes = [node.name, ...node.args];
    if (!place.known)
      return start(
        nodes.map((word) => argumentOf(word, place.source)),
        redirects,
        place,
      );
    for (const words of wordsGuessed(nodes, place.source, place.known)) start(words, redirects, place);
  } else if (node.redirects.length > 0) {
    place.findings.commands.push(onlyRedirects(node.redirects, place));
  }
}

/** Notes the command, and whatever it starts in turn. */
function start(words: readonly Argument[], redirects: readonly Redirect[], place: Place): void {
  const { findings, depth, known, input, statement } = place;
  if (depth > MAX_DEPTH) findings.fault ??= TOO_DEEP;
  if (findings.commands.length > MAX_COMMANDS) findings.fault ??= TOO_MUCH;
  if (findings.fault !== undefined) return;
  const command = commandOf(words, redirects);
  const unknownText = known ? (statement ?? command.text) : command.text;
  findings.commands.push(
    command.program === null ? { ...command, text: known ? `${command.text}\n${unknownText}` : command.text } : command,
  );
  const rest = words.slice(1);
  const given = known ? startedTexts(givenTexts(command.name ?? '', rest)) : [];
  for (const inner of [...innerOf(rest, { command, input }), ...byName(command, rest, known), ...given]) {
    if (inner.kind !== 'unknown') follow(inner, place);
    else findings.commands.push({ program: null, name: null, args: [], text: unknownText, redirects: [] });
  }
}

/** Goes on in what a command starts. */
function follow(inner: Exclude<Inner, { kind: 'unknown' }>, place: Place): void {
  const { known, depth } = place;
  const inside = { ...place, depth: depth + STARTED_DEPTH };
  if (inner.kind === 'words') start(inner.words, [], inside);
  else readText(inner.text, { ...inside, known: known && withPositional(known, values(inner.positional)) });
}

function values(words: readonly Argument[] = []): readonly string[] {
  return words.flatMap(({ value, text }) => (value ?? text).split(WORD_BREAK));
}

/** What a name stands for that the text itself has defined: an alias, or a function that starts what it is given. */
function byName({ program, name }: Command, words: readonly Argument[], known: Known | undefined): readonly Inner[] {
  if (program === null || name === null || !known) return [];
  if (known.runners.has(program)) return words.map((_, i) => ({ kind: 'words', words: words.slice(i) }) as const).slice(0, 3);
  const meaning = known.aliases.get(program);
  if (meaning === undefined || meaning.trimStart().split(/\s/, 1)[0] === program) return [];
  return [{ kind: 'text', text: [meaning, ...words.map((word) => quoted(word).value ?? word.text)].join(' ') }];
}

/** A redirection without a program opens its file as the null command `:` would. */
function onlyRedirects(redirections: readonly Redirection[], place: Place): Command {
  const text = redirections.map((redirection) => sourceOf(redirection, place.source)).join(' ');
  return { program: ':', name: ':', args: [], text, redirects: redirectsOf(redirections, place) };
}

function redirectsOf(redirections: readonly Redirection[], { source, known }: Place): Redirect[] {
  return redirections.map((redirection) => {
    const op = redirection.operator;
    if (redirection.type === 'HereDoc') return { op, target: known ? redirection.body.text : hereDocument(redirection) };
    if (!redirection.target) return { op, target: null };
    const [first] = known ? guessedArguments(redirection.target, source, pickOf(known)) : [argumentOf(redirection.target, source)];
    return { op, target: first?.value ?? null };
  });
}
