// Import arrows: leaf ← package ← runtime. Each rule has a file that must fail in scripts/check-fixtures/arrows.
const leaves = 'text|yaml|patterns|shell';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'leaf-imports-no-package',
      severity: 'error',
      from: { path: `^packages/(${leaves})/src/` },
      to: { path: '^(packages|runtime)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'package-imports-leaves-only',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/', pathNot: `^packages/(${leaves})/` },
      to: { path: '^(packages|runtime)/', pathNot: [`^packages/(${leaves})/`, '^packages/$1/'] },
    },
    {
      name: 'through-the-door',
      comment: 'A package is what its src/index.ts exports.',
      severity: 'error',
      from: { path: '^(?:packages/([^/]+)|runtime)/src/' },
      to: {
        path: '^packages/[^/]+/',
        pathNot: ['^packages/[^/]+/(src/index[.]ts|package[.]json)$', '^packages/[^/]+/schemas/', '^packages/$1/'],
      },
    },
    {
      name: 'ports-are-types',
      comment: 'A port is an interface with a contract; it knows no implementation.',
      severity: 'error',
      from: { path: '^runtime/src/ports/' },
      to: { path: '^runtime/src/', pathNot: '^runtime/src/ports/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'adapters-at-the-root',
      comment: 'Only the commands and the library, where a run is put together, choose the adapters.',
      severity: 'error',
      from: { path: '^runtime/src/', pathNot: '^runtime/src/(io/|cli/|library/)' },
      to: { path: '^runtime/src/io/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'edges-at-the-door',
      comment: 'What judges contracts touches nothing: only the door and the command choose the edges.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: '^packages/contract/src/(edges/|cli/|index[.]ts)' },
      to: { path: '^packages/contract/src/edges/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'doubles-stay-in-tests',
      severity: 'error',
      from: { path: '^(packages/[^/]+|runtime)/src/', pathNot: '^runtime/src/testing/' },
      to: { path: '(^runtime/src/testing/|/test/)' },
    },
    { name: 'nothing-missing', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules|/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['gated-flow-source', 'import', 'node', 'default', 'types'] },
  },
};
