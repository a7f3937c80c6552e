/** Doubles of the ports, for tests here and elsewhere. They fail on what was not expected and on what was expected and never came. */
export { createFailingDisk, type Failure, type FailingDisk } from './failing-disk.js';
export { createManualClock, type ManualClock } from './manual-clock.js';
export { createMemoryDisk, type MemoryDisk, type MemoryEntry } from './memory-disk.js';
export { createScriptedPrograms, type ProgramStep, type ScriptedPrograms } from './scripted-programs.js';
