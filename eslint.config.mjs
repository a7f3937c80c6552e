// The rules that keep the middle pure and the types honest. Each has a line that must fail in scripts/check-fixtures/lint.
import { builtinModules } from 'node:module';
import tseslint from 'typescript-eslint';
import { localRules } from './scripts/lib/lint-rules.mjs';

const sources = ['packages/*/src/**/*.ts', 'runtime/src/**/*.ts', 'scripts/check-fixtures/lint/src/**/*.ts'];
const tests = [
  'packages/*/test/**/*.ts',
  'runtime/test/**/*.ts',
  'scripts/check-fixtures/lint/test/**/*.ts',
  'docs/**/*.test.ts',
  'vitest.config.ts',
];

/** Where the outside world may be touched. Everything else is pure or goes through a port. */
const edges = [
  'runtime/src/io/**/*.ts',
  'runtime/src/cli/bin.ts',
  'runtime/src/models/provider/**/*.ts',
  'packages/assembly/src/disk.ts',
  'packages/record/src/disk.ts',
  'packages/contract/src/edges/**/*.ts',
  'packages/contract/src/cli/bin.ts',
];

/** Where data of unknown shape gets its type, once, after it was looked at. */
const parsed = ['packages/record/src/parse.ts', 'packages/record/src/parse-session.ts', 'packages/text/src/redact.ts'];

const pureBuiltins = new Set(['assert', 'assert/strict', 'buffer', 'crypto', 'events', 'path', 'path/posix', 'punycode', 'querystring']);
for (const name of ['stream', 'stream/promises', 'string_decoder', 'url', 'util', 'util/types', 'vm', 'zlib']) pureBuiltins.add(name);
const outsideBuiltins = builtinModules.filter((name) => !name.startsWith('_') && !pureBuiltins.has(name));
const outsidePackages = ['chokidar', 'execa', 'undici'];
const outsideModules = [...outsideBuiltins.flatMap((name) => [name, `node:${name}`]), ...outsidePackages];
const outsideGlobals = ['process', 'fetch', 'console', 'performance', 'crypto', 'globalThis', 'navigator', 'WebSocket', 'EventSource'];
for (const name of ['Timeout', 'Interval', 'Immediate']) outsideGlobals.push(`set${name}`, `clear${name}`);
const randomNames = ['randomBytes', 'randomUUID', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues', 'webcrypto', 'default'];
const throughPort = 'Reach the outside through a port (runtime/src/ports), or move this to an edge.';

const inAndOut = {
  '@typescript-eslint/no-restricted-imports': [
    'error',
    {
      paths: [
        ...outsideModules.map((name) => ({ name, message: throughPort, allowTypeImports: true })),
        ...['crypto', 'node:crypto'].map((name) => ({ name, importNames: randomNames, message: throughPort })),
      ],
    },
  ],
  'no-restricted-globals': ['error', ...outsideGlobals.map((name) => ({ name, message: throughPort }))],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: throughPort },
    { object: 'Math', property: 'random', message: throughPort },
    { object: 'AbortSignal', property: 'timeout', message: throughPort },
  ],
  'no-restricted-syntax': [
    'error',
    { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: throughPort },
    { selector: 'CallExpression[callee.name="Date"]', message: throughPort },
    { selector: `ImportExpression[source.value=/^(${outsideModules.join('|').replaceAll('/', '\\u002F')})$/]`, message: throughPort },
  ],
};

// What a test reads back is `any` until the expectation has looked at it.
const looseInTests = Object.fromEntries(
  ['argument', 'assignment', 'call', 'member-access', 'return'].map((name) => [`@typescript-eslint/no-unsafe-${name}`, 'off']),
);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', 'coverage/**', '.tmp/**', 'fixtures/**', 'scripts/check-fixtures/**'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' } },
  {
    files: [...sources, ...tests],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { flow: { rules: localRules } },
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'max-lines': ['warn', 250],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/require-await': 'off',
      // Objects of functions, no classes: there is no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'flow/telling-names': 'error',
    },
  },
  { files: sources, ignores: parsed, rules: { '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }] } },
  { files: sources, ignores: edges, rules: inAndOut },
  { files: tests, rules: { 'max-lines': 'off', 'flow/rule-in-name': 'error', ...looseInTests } },
);
