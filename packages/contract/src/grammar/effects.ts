import type { RunFacts } from '../facts.js';
import { compilePattern } from '@gated-flow/patterns';
import { amount, comparisonOf } from './comparison.js';
import { growing, measured } from './measure.js';
import { LEAD, LITERALS, NOT, sentence } from './pieces.js';
import type { Decision, Predicate } from './predicate.js';
import { decided, negated, unknown } from './predicate.js';
import { literalsIn } from './sentence.js';
import type { Found, Phrase } from './table.js';

const changed = (...paths: readonly string[]): Partial<RunFacts> => ({ changedFiles: paths });
const ran = (...commands: readonly string[]): Partial<RunFacts> => ({ commands });
const CHANGE = '(?:changes?|modif(?:y|ies)|writes?|edits?|touch(?:es)?)';

export const aboutEffects: readonly Phrase[] = [
  {
    form: 'change[s] no files | change[s] AMOUNT files',
    meaning: 'Files that the host saw changed.',
    patterns: [
      sentence(LEAD, `(?:${CHANGE} no|(?:does not|do not|never) ${CHANGE}(?: any)?) files?`),
      sentence(LEAD, NOT, `${CHANGE} `, amount(), ' files?'),
    ],
    make: ({ groups }) => {
      const counted = groups['n'] !== undefined || groups['low'] !== undefined;
      const comparison = counted ? comparisonOf(groups) : ({ at: 'most', number: 0 } as const);
      const predicate: Predicate = {
        about: 'effects',
        becomes: growing(comparison),
        decide: withFiles((files) => measured(files.length, comparison, `the run changed ${files.length} files`)),
      };
      return groups['not'] === undefined ? predicate : negated(predicate);
    },
    examples: [
      { text: 'changes no files', isTrue: changed(), isFalse: changed('a') },
      { text: 'change at most 1 files', isTrue: changed('a'), isFalse: changed('a', 'b') },
    ],
  },
  {
    form: 'only change[s] files under "FOLDER", "FOLDER"',
    meaning: 'Every changed path lies in one of the folders. A path that climbs with ".." lies in none.',
    patterns: [sentence(LEAD, `(?:only ${CHANGE}|${CHANGE} only) files? (?:under|in|below) (?<literals>${LITERALS})`)],
    make: (found) => {
      const folders = foldersOf(found);
      return {
        about: 'effects',
        becomes: 'false',
        decide: withFiles((files) => {
          const outside = files.filter((file) => !folders.some((folder) => liesIn(file, folder))).length;
          return decided(outside === 0, `the run changed ${outside} files elsewhere`);
        }),
      };
    },
    examples: [{ text: 'only changes files under "src", "test/"', isTrue: changed('src/a', './test/b'), isFalse: changed('src/../a') }],
  },
  {
    form: '[does not] change[s] files under "FOLDER"',
    meaning: 'At least one changed path lies in one of the folders.',
    patterns: [sentence(LEAD, NOT, `${CHANGE} (?:a |any )?files? (?:under|in|below) (?<literals>${LITERALS})`)],
    make: (found) => {
      const folders = foldersOf(found);
      const predicate: Predicate = {
        about: 'effects',
        becomes: 'true',
        decide: withFiles((files) => {
          const inside = files.filter((file) => folders.some((folder) => mayLieIn(file, folder))).length;
          return decided(inside > 0, `the run changed ${inside} files there`);
        }),
      };
      return found.groups['not'] === undefined ? predicate : negated(predicate);
    },
    examples: [{ text: 'does not change files under "migrations"', isTrue: changed('src/a'), isFalse: changed('src/../migrations/1') }],
  },
  {
    form: '[does not] run[s] a command matching /PATTERN/ | run[s] no commands',
    meaning: 'The expression is found anywhere in a command that the agent ran.',
    patterns: [
      sentence(LEAD, NOT, `(?:runs?|executes?) (?:a |any )?commands? (?:matching|that match(?:es)?) (?<literals>${LITERALS})`),
      sentence(LEAD, '(?<not>(?:runs?|executes?) no|(?:does not|do not|never) (?:run|execute)(?: any)?) commands?'),
    ],
    make: runsCommand,
    examples: [
      { text: String.raw`does not run a command matching /\brm\s+-rf\b/`, isTrue: ran('ls'), isFalse: ran('cd x && rm  -rf y') },
      { text: 'runs no commands', isTrue: ran(), isFalse: ran('ls') },
    ],
  },
];

function runsCommand({ groups, literals }: Found): Predicate | string {
  const [literal] = literalsIn(groups['literals'], literals);
  const compiled = literal === undefined ? undefined : compilePattern(literal.text, literal.flags ?? '');
  if (compiled?.ok === false) return `The expression cannot be used: ${compiled.message}`;
  const predicate: Predicate = {
    about: 'effects',
    becomes: 'true',
    decide: ({ commands }) => {
      if (commands === null) return unknown('nobody knows which commands the run ran');
      const found = commands.map((command) => (compiled === undefined ? true : compiled.pattern.test(command)));
      if (found.includes('timed-out')) return { is: 'fault', because: 'the expression ran out of its second on a command' };
      const count = found.filter((each) => each === true).length;
      return decided(count > 0, `the run ran ${count} such commands`);
    },
  };
  return groups['not'] === undefined ? predicate : negated(predicate);
}

function withFiles(decide: (files: readonly string[]) => Decision): Predicate['decide'] {
  return ({ changedFiles }) => (changedFiles === null ? unknown('nobody knows which files the run changed') : decide(changedFiles));
}

function foldersOf({ groups, literals }: Found): string[] {
  return literalsIn(groups['literals'], literals).map(({ text }) => normal(text).path);
}

interface NormalPath {
  readonly path: string;
  /** Climbs out of where it began. */
  readonly climbs: boolean;
}

/** Without `.` and `..`, as far as the words alone can tell. */
function normal(path: string): NormalPath {
  const steps: string[] = [];
  let climbs = false;
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.pop() === undefined) climbs = true;
  }
  return { path: `${path.startsWith('/') ? '/' : ''}${steps.join('/')}`, climbs };
}

function liesIn(file: string, folder: string): boolean {
  const { path, climbs } = normal(file);
  return !climbs && (folder === '' || path === folder || path.startsWith(`${folder}/`));
}

/** Where a path might lie: one that climbs out may come back in anywhere. */
function mayLieIn(file: string, folder: string): boolean {
  return normal(file).climbs || liesIn(file, folder);
}
