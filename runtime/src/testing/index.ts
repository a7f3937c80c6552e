/** Doubles of the ports, for tests here and elsewhere. They fail on what was not expected and on what was expected and never came. */
export { createFailingDisk } from './failing-disk.js';
export { createFailingMachine, type FailingMachine } from './failing-machine.js';
export { createManualClock } from './manual-clock.js';
export { createMemoryDisk, type MemoryDisk } from './memory-disk.js';
export { createScriptedPrograms, type ProgramStep, type ScriptedPrograms } from './scripted-programs.js';
