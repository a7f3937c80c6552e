import { Buffer } from 'node:buffer'; // fails: @typescript-eslint/consistent-type-imports

type Shape = { kind: 'circle' } | { kind: 'square' };

export const anything = (value: any): string => String(value); // fails: @typescript-eslint/no-explicit-any
export const reached = (): unknown => JSON.parse('{}').name; // fails: @typescript-eslint/no-unsafe-member-access
export const sure = (value: string | undefined): string => value!; // fails: @typescript-eslint/no-non-null-assertion
export const cast = (value: unknown): string => value as string; // fails: @typescript-eslint/consistent-type-assertions
export const constant = ['a', 'b'] as const;
export const size = (bytes: Buffer): number => bytes.length;

export function forgotten(): void {
  Promise.resolve(1); // fails: @typescript-eslint/no-floating-promises
}

export function corners(shape: Shape): number {
  switch (shape.kind) { // fails: @typescript-eslint/switch-exhaustiveness-check
    case 'square':
      return 4;
  }
  return 0;
}

export const long = (a: number, b: number, c: number, d: number, e: number): number => a + b + c + d + e; // fails: @typescript-eslint/max-params
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const excused = (value: any): string => String(value); // fails: @typescript-eslint/no-explicit-any
