import type { Refuse } from '../read/reading.js';
import type { Assembly } from '../tree.js';

/** A rule about the whole tree. It refuses what is wrong and says nothing otherwise. */
export type Rule = (assembly: Assembly, refuse: Refuse) => void;
