import type { Schema } from '@gated-flow/assembly';
import type { Check } from './check.js';
import { jsonFaults } from './json-schema.js';
import { frontMatterFaults } from './markdown-template.js';
import { written } from './written.js';

/** Has the output the shape that was asked for? Every fault at once (K-5, K-6). */
export function schemaCheck(schema: Schema): Check {
  return {
    name: 'schema',
    async run(round) {
      const { ports, output } = round.scope;
      const began = ports.clock.elapsed();
      const faults =
        schema.kind === 'json'
          ? await jsonFaults({ disk: ports.disk, output, validator: () => round.scope.validatorOf(schema) })
          : await frontMatterFaults({ disk: ports.disk, output, keys: schema.keys });
      return written(round, 'schema', { capture: 'schema.txt', text: faults, began });
    },
  };
}
