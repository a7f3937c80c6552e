import { accessNamesSlots } from './access-names-slots.js';
import { entriesAreReadable } from './entries-are-readable.js';
import { fanoutFollowsJson } from './fanout-follows-json.js';
import { fanoutIsPlaced } from './fanout-is-placed.js';
import { fanoutNamesSubflow } from './fanout-names-subflow.js';
import { inputsDoNotCollide } from './inputs-do-not-collide.js';
import { loopsDoNotNest } from './loops-do-not-nest.js';
import { namesArePrintable } from './names-are-printable.js';
import type { Rule } from './rule.js';
import { sequencesEndInStage } from './sequences-end-in-stage.js';
import { slotsAreFree } from './slots-are-free.js';

/** Judged together with what the readers found: they hold whatever else is wrong. */
export const structureRules: readonly Rule[] = [entriesAreReadable, namesArePrintable, sequencesEndInStage, loopsDoNotNest, fanoutIsPlaced];

/** Judged only when the structure is sound. */
export const wholeTreeRules: readonly Rule[] = [slotsAreFree, accessNamesSlots, inputsDoNotCollide, fanoutFollowsJson, fanoutNamesSubflow];
