import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { FLOW_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'runtime/test/**/*.test.ts', 'docs/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
