import type { Plugin } from 'esbuild';

export const keepWasmRuntime: Plugin;
export const moduleOfJsoncParser: Plugin;
export const namesOfCommonJs: Plugin;
