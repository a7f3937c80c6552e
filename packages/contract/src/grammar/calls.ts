import { counted } from '@gated-flow/text';
import type { RunFacts, ToolCall } from '../facts.js';
import { amount, comparisonOf } from './comparison.js';
import { growing, measured } from './measure.js';
import { LEAD, LITERAL, NOT, TOOLS, sentence } from './pieces.js';
import type { Decision, Predicate } from './predicate.js';
import { decided, negated, unknown } from './predicate.js';
import type { Found, Phrase } from './table.js';

const CALL = '(?:calls?|uses?|invokes?|runs?)';
const calls = (...names: readonly string[]): Partial<RunFacts> => ({ toolCalls: names.map((name) => ({ name })) });

export const aboutCalls: readonly Phrase[] = [
  {
    form: '[make[s]] AMOUNT tool calls',
    meaning: 'Calls the agent made; one that was denied does not count.',
    patterns: [sentence(LEAD, NOT, '(?:(?:makes?|uses?|does|do|needs?) )?', amount(), ' (?:tool|function) calls?')],
    make: ({ groups }) => {
      const comparison = comparisonOf(groups);
      const predicate: Predicate = {
        about: 'calls',
        becomes: growing(comparison),
        decide: withCalls((made) => measured(made.length, comparison, `the run made ${made.length} tool calls`)),
      };
      return groups['not'] === undefined ? predicate : negated(predicate);
    },
    examples: [
      { text: 'make at most 1 tool calls', isTrue: calls('a'), isFalse: calls('a', 'b') },
      { text: 'at most 1 tool call', isTrue: calls('a'), isFalse: calls('a', 'b') },
      { text: 'make more than 10 tool calls', isTrue: calls(...Array<string>(11).fill('a')), isFalse: calls('a') },
    ],
  },
  {
    form: 'call[s] no tools',
    meaning: 'Not one call.',
    patterns: [
      sentence(LEAD, `(?:${CALL} no|(?:does not|do not|never|must not|not) ${CALL}(?: any)?) tools?`),
      sentence(LEAD, '(?:makes?|does|do) no (?:tool|function) calls?'),
    ],
    make: () => ({
      about: 'calls',
      becomes: 'false',
      decide: withCalls((made) => decided(made.length === 0, `the run made ${made.length} tool calls`)),
    }),
    examples: [{ text: 'calls no tools', isTrue: calls(), isFalse: calls('a') }],
  },
  {
    form: 'only call[s] tools NAME, NAME',
    meaning: 'Every call is of one of these tools. Names are compared letter by letter.',
    patterns: [sentence(LEAD, `(?:only ${CALL}|${CALL} only) ${TOOLS}`)],
    make: (found) => {
      const allowed = namesOf(found);
      return {
        about: 'calls',
        becomes: 'false',
        decide: withCalls((made) => {
          const other = made.find(({ name }) => !allowed.includes(name));
          return decided(!other, other ? `the run called ${JSON.stringify(other.name)}` : 'every call is of one of them');
        }),
      };
    },
    examples: [{ text: 'only calls tools search, read_file', isTrue: calls('search', 'read_file'), isFalse: calls('search', 'rm') }],
  },
  {
    form: '[does not] call[s] tool NAME [AMOUNT times]',
    meaning: 'At least one call of this tool, or as many as said.',
    patterns: [
      sentence(LEAD, NOT, `${CALL} ${TOOLS}(?: `, amount(), ' times?)?'),
      sentence(LEAD, NOT, `${CALL} the (?<names>${LITERAL}) tool(?: `, amount(), ' times?)?'),
    ],
    make: callsTool,
    examples: [
      { text: 'calls tool search', isTrue: calls('read', 'search'), isFalse: calls('read') },
      { text: 'does not call tool "delete user"', isTrue: calls('read'), isFalse: calls('delete user') },
      { text: 'calls tool pay at most 1 times', isTrue: calls('pay'), isFalse: calls('pay', 'pay') },
    ],
  },
];

function callsTool(found: Found): Predicate {
  const { groups } = found;
  const names = namesOf(found);
  const bounded = groups['n'] !== undefined || groups['low'] !== undefined;
  const comparison = bounded ? comparisonOf(groups) : ({ at: 'least', number: 1 } as const);
  const predicate: Predicate = {
    about: 'calls',
    becomes: growing(comparison),
    decide: withCalls((made) => {
      const count = made.filter(({ name }) => names.includes(name)).length;
      return measured(count, comparison, `the run called ${names.join(', ')} ${counted(count, 'time')}`);
    }),
  };
  return groups['not'] === undefined ? predicate : negated(predicate);
}

function withCalls(decide: (made: readonly ToolCall[]) => Decision): Predicate['decide'] {
  return ({ toolCalls }) => (toolCalls === null ? unknown('nobody knows which tools the run called') : decide(toolCalls));
}

function namesOf({ groups, literals }: Found): string[] {
  return (groups['names'] ?? '')
    .split(/,? (?:and|or) |, /)
    .map((name) => name.replace(/^⟦(\d+)⟧$/, (_, index: string) => literals[Number(index)]?.text ?? ''));
}
