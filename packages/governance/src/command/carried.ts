import { isInlineProgram } from './inline.js';

type Words = readonly [string, ...string[]];

/** Programs that start another one after words of their own: behind these words, or behind `--`. */
const CARRIERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:python|pypy)[\d.]*$/, ['-m']],
  [/^(?:npx|bunx|pnpx|uvx|corepack)$/, []],
  [/^(?:npm|pnpm|yarn|bundle|bun|mise|direnv|asdf|volta|rbenv|pyenv)$/, ['exec', 'x', 'dlx', 'run']],
  [/^(?:uv|poetry|pipenv|rye|hatch|pdm|conda|mamba|pipx|op|doppler|dotenv|dotenvx|infisical|aws-vault|chamber)$/, ['run', 'exec', '--']],
  [/^uv$/, ['pip']],
  [/^(?:docker|podman|nerdctl|docker-compose|lxc|incus|ip)$/, ['exec', 'run']],
  [/^(?:fd|fdfind)$/, ['-x', '-X', '--exec', '--exec-batch']],
  [/^g(?:env|nice|nohup|stdbuf|time|timeout|xargs)$/, []],
  [
    /^(?:chronic|ifne|ts|tsp|nq|sem|logsave|daemonize|dtach|start-stop-daemon|caffeinate|arch|cross-env|cross-env-shell|ssh-agent|sshpass|torify|winpty|wsl)$/,
    [],
  ],
  [/^(?:catchsegv|ltrace|perf|valgrind|choom|cgexec|cpulimit|numactl|runcon|setarch|faketime|rlwrap|ld-(?:linux|musl)[\w.-]*)$/, []],
  [/^(?:bwrap|firejail|dbus-run-session|dbus-launch|prlimit|watchexec|xvfb-run|chpst|envdir|setuidgid|softlimit|setlock)$/, []],
  [/^(?:kubectl|oc)$/, ['exec', 'run', 'debug']],
  [/^(?:nix|guix)$/, ['shell', 'develop', 'run']],
];

/** Words that these programs take before the command they start. */
const MAX_BETWEEN = 12;

/** What `npx rimraf x` or `docker exec box rm x` may start: each place where the command can begin is a candidate. */
export function carried(program: string, words: readonly string[]): readonly Words[] {
  const found: Words[] = [];
  for (const [programs, openers] of CARRIERS) {
    if (!programs.test(program)) continue;
    const at = openers.length === 0 ? 0 : words.findIndex((word) => openers.includes(word)) + 1;
    if (openers.length > 0 && at === 0) continue;
    if (openers.includes('-m')) {
      if (isInlineProgram(program, words.slice(0, at - 1)) !== 'argument') found.push(...startingAt(words, at));
      continue;
    }
    if (openers.includes('pip')) found.push(...startingAt(words, at - 1));
    else for (let i = at; i < Math.min(words.length, at + MAX_BETWEEN); i++) found.push(...startingAt(words, i));
  }
  return found;
}

function startingAt(words: readonly string[], at: number): readonly Words[] {
  const [first, ...rest] = words.slice(at);
  return first === undefined || first === '' || first.startsWith('-') ? [] : [[first.slice(first.lastIndexOf('/') + 1), ...rest]];
}
