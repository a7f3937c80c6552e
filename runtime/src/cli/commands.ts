import type { CommandEntry } from './command.js';

/** Every command, in the order of the help. A command's code is loaded only when it is named. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'run', summary: 'run a folder; the output goes to standard output', load: async () => (await import('./run.js')).command },
  {
    name: 'check',
    summary: 'read everything, print the plan, warn; no model, no record',
    load: async () => (await import('./check.js')).command,
  },
  { name: 'new', summary: 'begin an assembly that checks and rehearses at once', load: async () => (await import('./new.js')).command },
  {
    name: 'stage',
    summary: 'run one stage alone, on files of yours or on what a past run gave it',
    load: async () => (await import('./stage.js')).command,
  },
  {
    name: 'gate',
    summary: 'try the schema and the gates of a stage on files, without a model',
    load: async () => (await import('./gate.js')).command,
  },
  {
    name: 'watch',
    summary: 'check it whenever something is saved; --run runs it from the first stage that changed',
    load: async () => (await import('./watch.js')).command,
  },
  {
    name: 'graph',
    summary: 'the picture of the flow, as text, mermaid, SVG or JSON',
    load: async () => (await import('./graph.js')).command,
  },
  { name: 'list', summary: 'the runs there are, newest first', load: async () => (await import('./list.js')).command },
  {
    name: 'show',
    summary: 'what happened in a run, stage by stage and round by round',
    load: async () => (await import('./show.js')).command,
  },
  {
    name: 'events',
    summary: "a run's record, event by event; --follow as it happens",
    load: async () => (await import('./events.js')).command,
  },
  { name: 'session', summary: 'the conversation of a stage', load: async () => (await import('./session.js')).command },
  { name: 'output', summary: 'the sealed output of a run or of a stage', load: async () => (await import('./output.js')).command },
  { name: 'request', summary: 'what a run was asked', load: async () => (await import('./request.js')).command },
  { name: 'checks', summary: 'what judged a run, and what it said', load: async () => (await import('./checks.js')).command },
  { name: 'diff', summary: 'what is different between two runs', load: async () => (await import('./diff.js')).command },
  { name: 'verify', summary: 'prove that nothing of a run was changed', load: async () => (await import('./verify.js')).command },
  {
    name: 'report',
    summary: 'write a run for CI, a pull request or a collector of traces',
    load: async () => (await import('./report.js')).command,
  },
  {
    name: 'resume',
    summary: 'go on with a run that failed or died',
    load: async () => (await import('./resume.js')).command,
  },
  {
    name: 'replay',
    summary: "judge a run's work again by the checks of today",
    load: async () => (await import('./replay.js')).command,
  },
  {
    name: 'approve',
    summary: 'give leave for a call that a run waits with',
    load: async () => (await import('./approve.js')).command,
  },
  { name: 'deny', summary: 'say no to it', load: async () => (await import('./deny.js')).command },
  { name: 'cancel', summary: 'end a run that is going on, from another shell', load: async () => (await import('./cancel.js')).command },
  { name: 'keygen', summary: 'make a key to sign runs with', load: async () => (await import('./keygen.js')).command },
  {
    name: 'models',
    summary: 'which models there are, where they were found and what they cost',
    load: async () => (await import('./models.js')).command,
  },
  {
    name: 'doctor',
    summary: 'what stands in the way of a run here, and what repairs it',
    load: async () => (await import('./doctor.js')).command,
  },
  {
    name: 'governance',
    summary: 'what a governance contract enforces here; guard another agent with it',
    load: async () => (await import('./governance.js')).command,
  },
  {
    name: 'contract',
    summary: 'judge what any agent did against behavioural contracts (agentcontract)',
    load: async () => (await import('./contract.js')).command,
  },
  { name: 'prune', summary: 'remove old runs, never one that holds work', load: async () => (await import('./prune.js')).command },
  {
    name: 'completion',
    summary: 'what a shell needs to complete commands, options and runs',
    load: async () => (await import('./completion.js')).completionOf(COMMANDS),
  },
];
