/** The library: what the commands are made of (I-9). */
export { readAssembly } from '@gated-flow/assembly';
export type { Assembly, Executable, Flow, ReadResult, Refusal, RefusalCode, Schema, Skill, Stage, Step } from '@gated-flow/assembly';
export { run } from './library/run.js';
export type { RunRequest, RunResult, RunSurroundings } from './library/run.js';
export { resume } from './library/resume.js';
export type { ResumeRequest, ResumeResult } from './library/resume.js';
export { replay } from './library/replay.js';
export type { ReplayRequest, ReplayResult } from './library/replay.js';
export type { Approval, Approve } from './governance/approval/answer.js';
export type { AskedLeave } from './governance/approval/asked.js';
export { openRecord } from './library/open-record.js';
export type { OpenRecord } from './library/open-record.js';
export { DiskError } from './ports/disk.js';
export type { Cause, Fact, Reading, RecordEvent, RunView, StageView, Verdict } from '@gated-flow/record';
