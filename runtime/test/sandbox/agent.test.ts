import { createServer } from 'node:http';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ground, launcher, NEEDS } from './ground.js';

const git = (tree: string, ...words: string[]): string =>
  execFileSync('git', ['-C', tree, '-c', 'user.name=A', '-c', 'user.email=a@b.example', ...words], { encoding: 'utf8' });

describe.skipIf(launcher === null)(`a contained agent (${NEEDS})`, { timeout: 120_000 }, () => {
  it('[I-13] sees neither credentials, nor the home, the record and the assembly, nor the scratch of others; the rest of the user it can read', async () => {
    const { ask, user, flowHome } = ground();
    const { answers, outcome } = await ask([
      `cat ~/.ssh/id_rsa ~/.aws/credentials ~/.config/gh/hosts.yml ~/.netrc ~/.npmrc ~/.cache/other/scratch; cat ~/notes.txt`,
      `find ~ -name record.jsonl; ls -A ${JSON.stringify(flowHome)}; ls -A ~/assembly/act; grep -rs ACT-INSTRUCTIONS ~ | head`,
      'ls -A ~/.cache | grep -c .; cat /etc/shadow; ls -A /run /tmp | grep -c secret',
    ]);
    expect(outcome.ending.cause).toBe('success');
    expect(answers.join('\n')).not.toContain('SECRET');
    expect(answers[0]).toContain('plain notes');
    expect(answers[1]).not.toContain('record.jsonl');
    expect(answers[1]).not.toContain('ACT-INSTRUCTIONS');
    expect(answers[1]).not.toContain('STAGE.md');
    expect(answers[2]).toMatch(/^1\n/);
    expect(readFileSync(join(user, '.ssh/id_rsa'), 'utf8')).toBe('SECRET-ssh');
  });

  it('[I-13] writes in $PWD, $TMP and the folder of $OUTPUT and nowhere else', async () => {
    const { ask, user, tree } = ground();
    const { answers } = await ask([
      'echo a > inside.txt && mkdir -p sub/dir && echo b > "$TMP/b" && echo c > "$(dirname "$OUTPUT")/beside" && cat "$TMP/b"; echo $?',
      'for at in ~/out.txt ~/notes.txt "$INPUT/x" "$SKILLS/x" /usr/x /etc/x /sys/x ~/.local/share/flow/x; do echo x >> "$at" && echo WROTE "$at"; done; true',
    ]);
    expect(answers[0]).toContain('b\n0\n');
    expect(readFileSync(join(tree, 'inside.txt'), 'utf8')).toBe('a\n');
    expect(answers[1]).not.toContain('WROTE');
    expect(existsSync(join(user, 'out.txt'))).toBe(false);
    expect(readFileSync(join(user, 'notes.txt'), 'utf8')).toBe('plain notes');
  });

  it('[I-13] reaches no server outside, unless the network is open', async () => {
    const server = createServer((_, response) => response.end('REACHED')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const command = `timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3'; true`;
    const { ask } = ground();
    try {
      expect((await ask([command])).answers[0]).not.toContain('REACHED');
      const open = await ask([command, 'test -r /etc/resolv.conf || test ! -e /etc/resolv.conf; echo $?'], {
        wishes: { sandbox: 'agent', sandboxNet: true },
      });
      expect(open.answers[0]).toContain('REACHED');
      expect(open.answers[1]).toContain('0\n');
    } finally {
      server.close();
    }
  });

  it('[I-13] sees no process but its own, leads no way out through /proc, and has no capability', async () => {
    const { ask, user } = ground();
    const { answers } = await ask([
      'ls /proc | grep -c "^[0-9]*$"; tr "\\0" " " < /proc/1/cmdline; tr "\\0" "\\n" < /proc/1/environ; for at in /proc/*/root; do cat "$at"~/.ssh/id_rsa; done; grep -E "^(CapEff|NoNewPrivs)" /proc/self/status',
      `cat /proc/1/root${JSON.stringify(user)}/.ssh/id_rsa; kill -9 ${process.pid}; echo x > /proc/sys/kernel/hostname; unshare -m true; mount -t tmpfs none /mnt; true`,
    ]);
    expect(answers[0]).toMatch(/^[1-9]\n/);
    expect(answers[0]).not.toContain(user);
    expect(answers[0]).toContain('CapEff:\t0000000000000000');
    expect(answers[0]).toContain('NoNewPrivs:\t1');
    expect(answers.join('\n')).not.toContain('SECRET');
    expect(answers[1]).toContain('No such process');
  });

  it('[I-13] follows no link out of $PWD, neither in a command nor with a file tool', async () => {
    const { ask, user, flowHome } = ground();
    mkdirSync(flowHome, { recursive: true, mode: 0o700 });
    const { answers, outcome } = await ask([
      `ln -s ~/.ssh key; ln -s ${JSON.stringify(flowHome)} home; ln -s ~ everything; ln -s /proc/self/root/etc etc; ls -A key/ home/; cat key/id_rsa`,
      { tool: 'read', input: { path: 'key/id_rsa' } },
      { tool: 'read', input: { path: 'everything/notes.txt' } },
      { tool: 'write', input: { path: 'everything/new.txt', content: 'x' } },
      { tool: 'edit', input: { path: 'everything/notes.txt', old: 'plain', new: 'changed' } },
      { tool: 'read', input: { path: 'etc/passwd' } },
      { tool: 'read', input: { path: join(user, 'notes.txt') } },
      { tool: 'write', input: { path: 'deep/er/in.txt', content: 'fine' } },
      { tool: 'read', input: { path: 'deep/er/in.txt' } },
      { tool: 'edit', input: { path: 'deep/er/in.txt', old: 'fine', new: 'finer' } },
    ]);
    for (const index of [1, 2, 3, 4, 5, 6]) expect(answers[index]).toMatch(/^`(read|write|edit)` may not be used on /);
    expect(answers.slice(7, 10)).toEqual(['Wrote 4 bytes to $PWD/deep/er/in.txt.', 'fine', 'Edited $PWD/deep/er/in.txt at line 1.']);
    expect(answers.join('\n')).not.toContain('SECRET');
    expect(existsSync(join(user, 'new.txt'))).toBe(false);
    expect(outcome.ending.cause).toBe('success');
  });

  it('[I-13] commits in the repository of $PWD, and changes nothing that git obeys', async () => {
    const { ask, tree } = ground();
    git(tree, 'init', '-q', '.');
    git(tree, 'commit', '-q', '--allow-empty', '-m', 'start');
    mkdirSync(join(tree, 'nested'));
    git(join(tree, 'nested'), 'init', '-q', '.');
    const before = readFileSync(join(tree, '.git/config'), 'utf8');
    const { answers } = await ask([
      'echo a > a && git add a && git -c user.name=A -c user.email=a@b.example commit -qm work && git log --format=%s | head -1 && git switch -qc topic; git status --short',
      'for at in .git/hooks/pre-commit .git/config nested/.git/hooks/pre-commit nested/.git/config; do echo evil > $at && echo WROTE $at; done; git config core.fsmonitor ./evil; true',
      'mv .git away; mv .git/hooks away; rm -rf .git/hooks .git/config; cp -r .git copy; mv nested/.git gone; ls -d .git nested/.git',
      'mkdir -p evil && echo ../evil > .git/commondir; true',
      { tool: 'write', input: { path: '.git/hooks/pre-commit', content: 'evil' } },
      { tool: 'edit', input: { path: '.git/config', old: 'core', new: 'evil' } },
    ]);
    expect(answers[0]).toContain('work\n');
    expect(answers[1]).not.toContain('WROTE');
    expect(answers[2]).toContain('.git\nnested/.git\n');
    expect(answers[4]).toContain('may not be used');
    expect(answers[5]).toContain('may not be used');
    expect(readFileSync(join(tree, '.git/config'), 'utf8')).toBe(before);
    expect(existsSync(join(tree, '.git/hooks/pre-commit'))).toBe(false);
    expect(existsSync(join(tree, '.git/commondir'))).toBe(false);
    expect(git(tree, 'log', '--format=%s').trim().split('\n')).toEqual(['work', 'start']);
  });

  it('[I-13] cannot lead a worktree to another repository, nor write in the one it belongs to', async () => {
    const { ask, tree, user } = ground({ tree: 'linked' });
    const main = join(user, 'main');
    git(user, 'init', '-q', main);
    git(main, 'commit', '-q', '--allow-empty', '-m', 'start');
    git(main, 'worktree', 'add', '-q', '--detach', tree);
    const before = readFileSync(join(tree, '.git'), 'utf8');
    const { answers } = await ask([
      'git log --format=%s; echo "gitdir: evil" > .git; rm -f .git; mv .git x; echo evil >> ../main/.git/config; true',
    ]);
    expect(answers[0]).toContain('start');
    expect(readFileSync(join(tree, '.git'), 'utf8')).toBe(before);
    expect(readFileSync(join(main, '.git/config'), 'utf8')).not.toContain('evil');
  });

  it('[I-13] works beside an assembly and a home that stand in $PWD, and cannot move them into sight', async () => {
    const { ask, tree } = ground({ assembly: 'tree/flows here/act', env: {} });
    const { answers, outcome } = await ask([
      'ls -A "flows here/act"; echo x > "flows here/act/new"; mv "flows here" moved; cat moved/act/STAGE.md; echo y > "flows here/beside" && cat "flows here/beside"',
      { tool: 'read', input: { path: 'flows here/act/STAGE.md' } },
      { tool: 'write', input: { path: 'flows here/act/STAGE.md', content: 'evil' } },
    ]);
    expect(answers.join('\n')).not.toContain('ACT-INSTRUCTIONS');
    expect(answers[0]).toContain('y\n');
    expect(readdirSync(join(tree, 'flows here'))).toEqual(['act', 'beside']);
    expect(readFileSync(join(tree, 'flows here/act/STAGE.md'), 'utf8')).toContain('ACT-INSTRUCTIONS');
    expect(outcome.ending.cause).toBe('success');
  });

  it('[I-13] works in the very folder of the assembly, which is then not to be seen in it', async () => {
    const { ask, tree } = ground({ tree: 'act', assembly: 'act' });
    const { answers } = await ask(['cat STAGE.md; echo x > STAGE.md; echo fine > result.txt && cat result.txt; true']);
    expect(answers[0]).not.toContain('ACT-INSTRUCTIONS');
    expect(answers[0]).toContain('fine\n');
    expect(readFileSync(join(tree, 'STAGE.md'), 'utf8')).toContain('ACT-INSTRUCTIONS');
  });

  it('[I-13] works where $PWD is the whole home, in its cache, or in a temporary folder; secrets stay hidden', async () => {
    const home = ground({ tree: '.', work: { '.bashrc': 'kept' } });
    const whole = await home.ask(['cat .ssh/id_rsa .netrc; echo evil >> .bashrc; mv .ssh open; echo fine > fine.txt; cat fine.txt']);
    expect(whole.answers[0]).not.toContain('SECRET');
    expect(whole.answers[0]).toContain('fine\n');
    expect(readFileSync(join(home.user, '.bashrc'), 'utf8')).toBe('kept');

    const cached = await ground({ tree: '.cache/project' }).ask(['ls -A ~/.cache; echo fine > fine.txt; cat fine.txt']);
    expect(cached.answers[0]).not.toContain('other');
    expect(cached.answers[0]).toContain('fine\n');

    const temporary = await ground({ base: tmpdir() }).ask(['ls -A ..; cat ~/notes.txt; echo fine > fine.txt; cat fine.txt']);
    expect(temporary.answers[0]).not.toContain('plain notes');
    expect(temporary.answers[0]).toContain('fine\n');
  });

  it('[I-13] does its work: pipelines, here-documents, interpreters, npm scripts', async () => {
    const { ask } = ground({ work: { 'package.json': '{"name": "x", "version": "1.0.0", "scripts": {"hello": "node -p 6*7"}}' } });
    const { answers } = await ask([
      'seq 1 1000 | awk \'{s+=$1} END {print s}\' | tee "$TMP/sum"; cat <<< here; node -p "6*7"; perl -e "print 42" 2>/dev/null; diff <(echo a) <(echo a) && echo same',
      'npm run --silent hello 2>&1 | tail -1',
      "node -e \"require('http').createServer((q,r)=>r.end('own')).listen(0,'127.0.0.1',function(){fetch('http://127.0.0.1:'+this.address().port).then(r=>r.text()).then(t=>{console.log(t);process.exit()})})\"",
    ]);
    expect(answers[0]).toContain('500500\nhere\n42\n');
    expect(answers[0]).toContain('same');
    expect(answers[1]).toContain('42');
    expect(answers[2]).toContain('own');
  });

  it('[I-13 S-2] has no secret in its environment, and the description of its shell says what is different', async () => {
    const { ask } = ground({ env: { MY_API_KEY: 'SECRET-key-value' } });
    const { answers, outcome } = await ask(['env; true']);
    expect(answers[0]).not.toContain('MY_API_KEY');
    const told = readFileSync(join(outcome.folder, 'stages/act/1/system.txt'), 'utf8');
    expect(told).toContain(
      'It can change only $PWD, $TMP and the folder of $OUTPUT, and what it leaves running ends with it. There is no network.',
    );
  });

  it('[I-13 R-3] the record says it', async () => {
    const { outcome } = await ground().ask(['true'], { wishes: { sandbox: 'all', sandboxNet: true } });
    const [first = ''] = readFileSync(join(outcome.folder, 'record.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(first)).toMatchObject({ event: 'run_start', sandbox: { covers: 'all', network: true } });
  });
});

describe.skipIf(launcher === null)(`contained gates and hooks (${NEEDS})`, { timeout: 120_000 }, () => {
  const gate = (text: string) => ({ x: `#!/bin/sh\n${text}\n` });

  it('[I-13 A-21 K-7] stand at a neutral path that cannot be written, reach their lib, and judge as ever', async () => {
    const { ask, flowHome } = ground({
      stage: {
        'lib/words.txt': 'from the lib\n',
        'gate/01-look.sh': gate(
          'echo "at $0"; cat "$(dirname "$0")/../lib/words.txt"; echo x >> "$0" && echo WROTE; cat ~/.ssh/id_rsa; ls -A ~/.local/share/flow; cat "$1"; exit 1',
        ),
      },
    });
    const { outcome } = await ask(['true'], { wishes: { sandbox: 'all' } });
    expect(outcome.ending).toMatchObject({ cause: 'exhausted', exit: 1 });
    const said = readFileSync(join(outcome.folder, 'stages/act/1/1/checks/gate/01-look.sh.txt'), 'utf8');
    expect(said).toMatch(/^at \/run\/w\/[\d/]*01-look\.sh\nfrom the lib\n/);
    expect(said).toMatch(/done$/);
    for (const wrong of ['WROTE', 'SECRET', 'runs', flowHome]) expect(said).not.toContain(wrong);
  });

  it('[I-13 K-8] are judged by the same exits: 75 blocks, a signal breaks, 130 is a failed round', async () => {
    const ending = async (text: string) =>
      (await ground({ stage: { 'gate.sh': gate(text) } }).ask(['true'], { wishes: { sandbox: 'all' } })).outcome.ending;
    expect(await ending('exit 0')).toMatchObject({ cause: 'success' });
    expect(await ending('echo why; exit 75')).toMatchObject({ cause: 'blocked', exit: 1 });
    expect(await ending('kill -KILL $$')).toMatchObject({ cause: 'fault', exit: 2 });
    expect(await ending('exit 137')).toMatchObject({ cause: 'exhausted' });
    expect(await ending('exit 127')).toMatchObject({ cause: 'fault', exit: 2 });
  });

  it('[I-13 K-12] `before` may change $INPUT, and `failure` reads its reason', async () => {
    const { ask } = ground({
      stage: {
        'before.sh': gate('echo more > "$INPUT/more.txt"'),
        'gate.sh': gate('echo because; exit 1'),
        'failure.sh': gate('echo "$CAUSE: $(tail -1 "$REASON")"'),
      },
    });
    const { answers, outcome } = await ask(['cat "$INPUT/more.txt"'], { wishes: { sandbox: 'all' } });
    expect(answers[0]).toContain('more\n');
    expect(readFileSync(join(outcome.folder, 'stages/act/1/hooks/failure.txt'), 'utf8')).toBe('exhausted: because\n');
  });

  it('[I-13] are not contained when only the agent is', async () => {
    const { ask } = ground({ stage: { 'gate.sh': gate('cat ~/notes.txt > ~/seen.txt') } });
    const { outcome } = await ask(['true']);
    expect(outcome.ending.cause).toBe('success');
  });
});

describe('without bubblewrap', () => {
  it('[I-13] nothing is run, nothing is made, and what helps is said', async () => {
    const { ask, flowHome, tree } = ground({ env: { PATH: '/nowhere' } });
    writeFileSync(join(tree, 'a'), '');
    await expect(ask(['touch ran'])).rejects.toThrow(/bubblewrap \(bwrap\) is not on the PATH.*install bubblewrap|bubblewrap is for Linux/);
    expect(existsSync(flowHome)).toBe(false);
    expect(existsSync(join(tree, 'ran'))).toBe(false);
  });
});
