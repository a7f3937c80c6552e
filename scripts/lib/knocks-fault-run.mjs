// One run inside this process with one failing call, and what it came to.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arm, disarm } from './knocks-faulty-fs.mjs';
import { library } from './knocks.mjs';
import { besideRuns, eventsOf, listed, processesNaming, runsOf, tokenOf } from './knocks-run.mjs';

const LONGEST_MS = 300_000;
/** What a run says of its end when nothing failed. */
const EXPECTED = '# Verdict\n\nall good\n';

/** Plants what every run of the knock starts from: an assembly that uses hooks, gates, both kinds of schema, skills and the workspace. */
export async function plantGround(folder, { repository }) {
  const flow = join(folder, 'assembly/flows/main');
  const [one, two] = [join(flow, '01-read'), join(flow, '02-judge')];
  for (const at of [join(one, 'gate'), join(one, 'lib'), two, join(folder, 'assembly/skills/style'), join(folder, 'work')])
    await mkdir(at, { recursive: true });
  const files = {
    'assembly/ASSEMBLY.md': '---\n---\nHelp.\n',
    'assembly/skills/style/SKILL.md': '---\ndescription: how to write\n---\nShort.\n',
    'assembly/flows/main/FLOW.md': '---\ndescription: two stages\n---\n',
    'assembly/flows/main/01-read/STAGE.md': '---\nlocal-context: use\n---\nRead it.\n',
    'assembly/flows/main/01-read/schema.json': '{"type":"object","required":["word"],"properties":{"word":{"type":"string"}}}\n',
    'assembly/flows/main/01-read/lib/words.txt': 'good\n',
    'assembly/flows/main/02-judge/STAGE.md': '---\n---\nJudge it.\n\n## Checklist\n\n- [ ] Look at it\n',
    'assembly/flows/main/02-judge/schema.md': '# Verdict\n',
    'work/AGENTS.md': 'Be kind.\n',
    'request.txt': 'what is it?\n',
    'script.jsonl': SCRIPT.map((line) => `${JSON.stringify(line)}\n`).join(''),
  };
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  const programs = {
    'assembly/flows/main/01-read/before.sh': 'sleep "86400.$KNOCK_MARK" &\necho ready\n',
    'assembly/flows/main/01-read/gate/01-word.sh': 'grep -q -f "$(dirname "$0")/../lib/words.txt" "$1" || { echo "say good"; exit 1; }\n',
    'assembly/flows/main/01-read/gate/02-quick.sh': 'setsid sleep "86401.$KNOCK_MARK" &\nexit 0\n',
    'assembly/flows/main/02-judge/success.sh': 'echo sealed soon\n',
    'assembly/flows/main/02-judge/failure.sh': 'echo "$CAUSE"\n',
  };
  for (const [path, text] of Object.entries(programs)) {
    await writeFile(join(folder, path), `#!/bin/sh\n${text}`);
    await chmod(join(folder, path), 0o755);
  }
  if (repository) commitAll(join(folder, 'work'));
}

function commitAll(folder) {
  const who = ['-c', 'user.name=knock', '-c', 'user.email=knock@localhost'];
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    [...who, 'commit', '-q', '-m', 'start'],
  ]) {
    const { status, stderr } = spawnSync('git', words, { cwd: folder });
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
  }
}

const call = (tool, input) => ({ tool, input });
const SCRIPT = [
  { stage: '01-read', calls: [call('write', { path: '$OUTPUT', content: '{"word":"bad"}' })] },
  { stage: '01-read', text: 'Done.' },
  { stage: '01-read', calls: [call('bash', { command: 'sleep "86402.$KNOCK_MARK" & echo hi > "$TMP/a"; cat "$INPUT"/*' })] },
  { stage: '01-read', calls: [call('read', { path: '$OUTPUT' }), call('edit', { path: '$OUTPUT', old: 'bad', new: 'good' })] },
  { stage: '01-read', text: 'Done.' },
  {
    stage: '02-judge',
    calls: [call('write', { path: '$OUTPUT', content: EXPECTED }), call('mark', { item: 1, state: 'done', evidence: 'I looked.' })],
  },
  { stage: '02-judge', text: 'Done.' },
];

/** Runs once with one failing call. Answers the calls, what it came to, and what must not be. */
export async function runWithFault({ ground, place, call: failing, code, isolate }) {
  // Digits alone: it stands behind the point of a number of seconds.
  const token = tokenOf(10 * failing + Object.keys(AS_TOLD).indexOf(code) + 3);
  await cp(ground, place, { recursive: true });
  const { run } = await library();
  const env = { PATH: process.env.PATH, HOME: place, XDG_CACHE_HOME: join(place, 'cache'), KNOCK_MARK: token };
  const home = join(place, 'home');
  const loose = [];
  const catchLoose = (error) => loose.push(error);
  process.on('unhandledRejection', catchLoose);
  process.on('uncaughtException', catchLoose);
  arm({ folder: place, call: failing, code });
  const said = await Promise.race([
    run(
      {
        ...{ target: join(place, 'assembly'), request: `@${join(place, 'request.txt')}`, home, in: join(place, 'work') },
        models: { kind: 'scripted', file: join(place, 'script.jsonl') },
        wishes: isolate ? { isolate: 'dirty' } : {},
      },
      { cwd: place, env, signal: new AbortController().signal },
    ).then(
      (result) => ({ result }),
      (error) => ({ error }),
    ),
    new Promise((resolve) => setTimeout(() => resolve({ hung: true }), LONGEST_MS).unref()),
  ]);
  const calls = disarm();
  process.off('unhandledRejection', catchLoose);
  process.off('uncaughtException', catchLoose);
  const judged = await judge(said, { home, place, code, token });
  if (loose.length > 0) judged.faults.push(`thrown past the run: ${loose[0].stack ?? loose[0]}`);
  if (!said.hung) await rm(place, { recursive: true, force: true });
  return { calls, ...judged };
}

async function judge({ result, error, hung }, { home, place, code, token }) {
  const faults = [];
  const [run] = runsOf(home);
  const folder = run === undefined ? null : join(home, 'runs', run);
  const came = hung
    ? 'hung'
    : error
      ? thrown(error, code, faults)
      : result.ok
        ? await ended(result.outcome, { code, faults, folder })
        : 'refused';
  if (hung) faults.push('hung');
  if (result?.ok === false && !result.refusals.every(({ message }) => message.length > 0)) faults.push('refused without a word');
  const unborn = error !== undefined || result?.ok === false;
  if (unborn && (folder !== null || besideRuns(home).length > 0)) faults.push(`not born, but left ${[run, ...besideRuns(home)].join(' ')}`);
  if (!unborn && !hung) await checkRecord(folder, result.outcome, faults);
  const living = processesNaming(token);
  if (living.length > 0) faults.push(`still alive: ${living.join(', ')}`);
  const told = eventsOf(folder ?? '').some(({ event }) => event === 'tmp_teardown');
  // A tree that could not be closed is kept, and its user told where it is.
  const kept = result?.ok ? result.outcome.worktree.join('\n') : '';
  const scratch = told ? [] : listed(join(place, 'cache')).filter((name) => !kept.includes(join(place, 'cache', name)));
  if (scratch.length > 0) faults.push(`scratch left: ${scratch.join(', ')}`);
  if (!unborn && result?.ok && result.outcome.trouble === null && besideRuns(home).length > 0)
    faults.push(`left ${besideRuns(home).join(' ')}`);
  return {
    came,
    faults,
    words: result?.ok ? (result.outcome.ending.reason ?? '') : result ? JSON.stringify(result.refusals) : String(error),
  };
}

/** A run that could not be born rejects with the operation, the path and the code. */
function thrown(error, code, faults) {
  const wanted = code === 'TORN' || code === 'SHORT' ? 'ENOSPC' : code;
  if (error.name !== 'DiskError') faults.push(`threw ${error.stack ?? error}`);
  else if (error.code !== wanted || error.operation === '') faults.push(`threw ${error.message}`);
  return 'not born';
}

/** How an agent hears of a tool that the disk refused (L-6). */
const AS_TOLD = { ENOSPC: /no space is left/, EACCES: /may not be accessed/, EIO: /EIO/, EMFILE: /EMFILE/ };

function sessionsOf(folder) {
  const files = listed(join(folder, 'stages')).map((stage) => join(folder, 'stages', stage, '1/session.jsonl'));
  return files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join('');
}

async function ended({ ending, output, trouble, worktree }, { code, faults, folder }) {
  const wanted = code === 'TORN' || code === 'SHORT' ? 'ENOSPC' : code;
  if (ending.cause !== 'success') {
    // What the disk refused an agent's tool is told to the agent, and a script cannot go on by itself.
    const heard = AS_TOLD[wanted].test(sessionsOf(folder));
    if (!`${ending.reason} ${trouble}`.includes(wanted) && !heard)
      faults.push(`${ending.cause} without naming ${wanted}: ${ending.reason}`);
    return ending.cause;
  }
  if (trouble !== null || (wanted !== '' && worktree.join('\n').includes(wanted))) return 'success, with trouble told';
  if (!existsSync(output.file) || readFileSync(output.file, 'utf8') !== EXPECTED) faults.push('success with another output');
  return 'success';
}

async function checkRecord(folder, { ending, trouble }, faults) {
  const { openRecord } = await library();
  const { reading } = await openRecord(folder).read();
  if (reading.state === 'invalid') return faults.push(`the record is invalid: ${JSON.stringify(reading.faults)}`);
  if (ending.cause !== 'success' || trouble !== null) return;
  const verdict = await openRecord(folder).verify();
  if (!verdict.verified) faults.push(`a false success: ${JSON.stringify(verdict.differences)}`);
}
