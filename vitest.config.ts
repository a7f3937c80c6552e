import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { FLOW_VERSION: JSON.stringify('0.0.0-test'), CONTRACT_VERSION: JSON.stringify('0.0.0-test') },
  // Without "module": some packages have an ECMAScript build under it that Node alone does not load.
  ssr: { resolve: { conditions: ['gated-flow-source', 'node', 'development|production'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'runtime/test/**/*.test.ts', 'docs/**/*.test.ts'],
    // Long after what any of them takes, also where each takes ten times as long: nothing is measured by these.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most tests wait for processes of their own, so that a core left to the reporter alone is idle.
    maxWorkers: '100%',
  },
});
