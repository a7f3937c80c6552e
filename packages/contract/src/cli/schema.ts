import { CONTRACT_SCHEMA } from '../read/shape.js';
import type { CommandModule } from './command.js';

export const schema: CommandModule = {
  async run(_, io) {
    await io.out(`${JSON.stringify(CONTRACT_SCHEMA, null, 2)}\n`);
    return 0;
  },
};
