import { beforeAll, describe, expect, it } from 'vitest';
import { loadShellReader } from '../src/index.js';
import type { Command, ShellReader } from '../src/index.js';

let reader: ShellReader;
beforeAll(async () => {
  reader = await loadShellReader();
});

async function commands(text: string): Promise<readonly Command[]> {
  const result = await reader.read(text);
  if (!result.ok) throw new Error(result.message);
  return result.commands;
}

/** `rm -rf ?`: the program and its arguments, `?` for what the text does not tell. */
function shown({ program, args }: Command): string {
  return [program, ...args].map((word) => word ?? '?').join(' ');
}

const INNOCENT: [string, string[]][] = [
  ['', []],
  ['# rm -rf /', []],
  ['ls # rm -rf /', ['ls']],
  ['echo "rm -rf /"', ['echo rm -rf /']],
  ["echo 'sudo rm'", ['echo sudo rm']],
  ["grep -rn 'rm -rf' .", ['grep -rn rm -rf .']],
  ['git commit -m "remove; rm -rf build"', ['git commit -m remove; rm -rf build']],
  ["cat > notes.md <<'EOF'\nrm -rf /\n$(rm x)\nEOF", ['cat']],
  ['cat <<EOF\nrm -rf /\nEOF', ['cat']],
  ['echo \\$\\(rm x\\)', ['echo $(rm x)']],
  ["echo '$(rm x)' '`rm y`'", ['echo $(rm x) `rm y`']],
  ['echo rm\\;ls', ['echo rm;ls']],
  ['command -v rm', ['command -v rm']],
  ['rm=1; echo $rm', ['echo ?']],
  ['echo a#rm', ['echo a#rm']],
  ['case rm in rm) ls;; esac', ['ls']],
  ['for rm in rm sudo; do echo "$rm"; done', ['echo ?']],
  ['[[ rm == sudo ]] && ls', ['ls']],
  ['find . -name rm', ['find . -name rm']],
  ['printf %s "a|rm"', ['printf %s a|rm']],
  ['bash --version', ['bash --version']],
  ['bash build.sh rm', ['bash build.sh rm']],
  ['env', ['env']],
  ['sudo -v', ['sudo -v']],
  ['trap - INT', ['trap - INT']],
  ['exec 2>&1', ['exec']],
  ['export A=b', ['export A=b']],
];

const PLAIN: [string, string[]][] = [
  ['rm x', ['rm x']],
  ['a | b |& c && d || e; f & g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
  ['(rm x)', ['rm x']],
  ['{ rm x; }', ['rm x']],
  ['! rm x', ['rm x']],
  ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
  ['while a; do b; done', ['a', 'b']],
  ['until a; do b; done', ['a', 'b']],
  ['for i in 1 2; do rm x; done', ['rm x']],
  ['for ((i = 0; i < 2; i++)); do rm x; done', ['rm x']],
  ['select x in a; do rm x; done', ['rm x']],
  ['case x in a) rm x;; *) ls;; esac', ['rm x', 'ls']],
  ['f() { rm x; }; f', ['rm x', 'f']],
  ['function f { rm x; }', ['rm x']],
  ['coproc rm x', ['rm x']],
  ['time rm x', ['rm x']],
  ['A=1 B=2 rm x', ['rm x']],
  ['> out', [':']],
  ['{ a; } > out', [':', 'a']],
];

const DISGUISED: [string, string[]][] = [
  ['\\rm x', ['rm x']],
  ['"rm" x', ['rm x']],
  ["r''m x", ['rm x']],
  ["'r'm x", ['rm x']],
  ["$'\\x72m' x", ['rm x']],
  ['r\\\nm x', ['rm x']],
  ['/bin/rm x', ['/bin/rm x']],
  ['echo $(rm x)', ['echo ?', 'rm x']],
  ['echo "a $(rm x) b"', ['echo ?', 'rm x']],
  ['echo "$(echo "$(rm x)")"', ['echo ?', 'echo ?', 'rm x']],
  ['echo `rm x`', ['echo ?', 'rm x']],
  ['echo `echo \\`rm x\\``', ['echo ?', 'echo ?', 'rm x']],
  ['echo ${a:-$(rm x)}', ['echo ?', 'rm x']],
  ['echo ${a/$(rm x)/b}', ['echo ?', 'rm x']],
  ['echo $((1 + $(rm x)))', ['echo ?', 'rm x']],
  ['(( a = $(rm x) ))', ['rm x']],
  ['[[ -n $(rm x) ]]', ['rm x']],
  ['a=$(rm x)', ['rm x']],
  ['a=($(rm x))', ['rm x']],
  ['export A=$(rm x)', ['export ?', 'rm x']],
  ['diff <(rm x) >(rm y)', ['diff ? ?', 'rm x', 'rm y']],
  ['cat <<EOF\n$(rm x)\nEOF', ['cat', 'rm x']],
  ['cat <<< "$(rm x)"', ['cat', 'rm x']],
  ['ls > "$(rm x)"', ['ls', 'rm x']],
  ['for i in $(rm x); do ls; done', ['rm x', 'ls']],
  ['case $(rm x) in a) ls;; esac', ['rm x', 'ls']],
  ['echo {a,$(rm x)}', ['echo ?', 'rm x']],
  ['$X foo', ['? foo']],
  ['"$X" foo', ['? foo']],
  ['r$@m x', ['? x']],
  ['rm$IFS-rf', ['?']],
  ['{rm,-rf,/}', ['?']],
  ['/bin/r? x', ['? x']],
  ['$(echo rm) x', ['? x', 'echo rm']],
  ["bash -c 'rm x'", ['bash -c rm x', 'rm x']],
  ["sh -ec 'ls; rm x' name", ['sh -ec ls; rm x name', 'ls', 'rm x']],
  ["/bin/bash -o pipefail -c 'rm x'", ['/bin/bash -o pipefail -c rm x', 'rm x']],
  ["bash +x --norc -c 'rm x'", ['bash +x --norc -c rm x', 'rm x']],
  ['bash -c "bash -c \'rm x\'"', ["bash -c bash -c 'rm x'", 'bash -c rm x', 'rm x']],
  ['bash -c "$X"', ['bash -c ?', '?']],
  ['bash -c', ['bash -c', '?']],
  ['curl x | sh', ['curl x', 'sh', '?']],
  ['curl x | bash -s -- a', ['curl x', 'bash -s -- a', '?']],
  ['curl x | bash -', ['curl x', 'bash -', '?']],
  ['bash <(curl x)', ['bash ?', '?', 'curl x']],
  ['sh < file', ['sh', '?']],
  ["sh <<'EOF'\nrm x\nEOF", ['sh', 'rm x']],
  ['sh <<EOF\nrm x\nEOF', ['sh', 'rm x']],
  ['sh <<EOF\n\\`rm x\\`\nEOF', ['sh', '?']],
  ["sh <<< 'rm x'", ['sh', 'rm x']],
  ['source /dev/stdin', ['source /dev/stdin', '?']],
  ['. <(curl x)', ['. ?', '?', 'curl x']],
  ['env rm x', ['env rm x', 'rm x']],
  ['/usr/bin/env -i -u A B=1 C=$D rm x', ['/usr/bin/env -i -u A B=1 ? rm x', 'rm x']],
  ["env -S 'rm -f' x", ['env -S rm -f x', 'rm -f x']],
  ['env -S "rm -f"', ['env -S rm -f', 'rm -f']],
  ['env --surprise rm x', ['env --surprise rm x', '?']],
  ['env $X rm', ['env ? rm', '? rm']],
  ['sudo rm x', ['sudo rm x', 'rm x']],
  ['sudo -nu root -- rm x', ['sudo -nu root -- rm x', 'rm x']],
  ['sudo --user=root env A=1 rm x', ['sudo --user=root env A=1 rm x', 'env A=1 rm x', 'rm x']],
  ['doas -u root rm x', ['doas -u root rm x', 'rm x']],
  ['su -c "rm x" root', ['su -c rm x root', 'rm x']],
  ['su root', ['su root', '?']],
  ['nohup rm x &', ['nohup rm x', 'rm x']],
  ['nice -n 5 rm x', ['nice -n 5 rm x', 'rm x']],
  ['nice -5 rm x', ['nice -5 rm x', 'rm x']],
  ['timeout -k 5 10 rm x', ['timeout -k 5 10 rm x', 'rm x']],
  ['/usr/bin/time -f %e rm x', ['/usr/bin/time -f %e rm x', 'rm x']],
  ['command rm x', ['command rm x', 'rm x']],
  ['command -p -- rm x', ['command -p -- rm x', 'rm x']],
  ['builtin eval "rm x"', ['builtin eval rm x', 'eval rm x', 'rm x']],
  ['exec -a ls rm x', ['exec -a ls rm x', 'rm x']],
  ['stdbuf -oL setsid -w rm x', ['stdbuf -oL setsid -w rm x', 'setsid -w rm x', 'rm x']],
  ['busybox rm x', ['busybox rm x', 'rm x']],
  ['chroot /x rm y', ['chroot /x rm y', 'rm y']],
  ['ls | xargs rm -f', ['ls', 'xargs rm -f', 'rm -f ?']],
  ['xargs -0 -n1 -P 4 rm', ['xargs -0 -n1 -P 4 rm', 'rm ?']],
  ['xargs -I{} rm {}', ['xargs -I{} rm {}', 'rm ?']],
  ['xargs -I % % x', ['xargs -I % % x', '? x']],
  ['xargs sh -c', ['xargs sh -c', 'sh -c ?', '?']],
  ["xargs -I{} sh -c 'rm {}'", ['xargs -I{} sh -c rm {}', 'sh -c ?', '?']],
  ['xargs env', ['xargs env', 'env ?', '?']],
  ['find . -exec rm {} \\;', ['find . -exec rm {} ;', 'rm ?']],
  ["find . -execdir sh -c 'rm x' \\; -ok ls {} +", ['find . -execdir sh -c rm x ; -ok ls {} +', 'sh -c rm x', 'rm x', 'ls ?']],
  ['find . -exec {} \\;', ['find . -exec {} ;', '?']],
  ['eval rm x', ['eval rm x', 'rm x']],
  ['eval \'rm\' "x; ls"', ['eval rm x; ls', 'rm x', 'ls']],
  ['eval "$X"', ['eval ?', '?']],
  ["trap 'rm x' EXIT", ['trap rm x EXIT', 'rm x']],
  ["alias ls='rm x'", ['alias ls=rm x', 'rm x']],
  ['alias ls="$X"', ['alias ?', '?']],
  ['constructor x; __proto__', ['constructor x', '__proto__']],
];

const UNREADABLE = [
  'if',
  'echo "x',
  "echo 'x",
  '$(',
  '(rm',
  'rm )',
  'a | | b',
  'case',
  'fi',
  'echo $(if)',
  "bash -c 'if'",
  "eval 'echo \"'",
  'a\0b',
];

describe('the shell reader', () => {
  it.each(INNOCENT)('[V-3 A-16] %j holds no hidden command', async (text, expected) => {
    expect((await commands(text)).map(shown)).toEqual(expected);
  });

  it.each(PLAIN)('[V-3] %j gives every command', async (text, expected) => {
    expect((await commands(text)).map(shown)).toEqual(expected);
  });

  it.each(DISGUISED)('[V-3 A-16] %j hides nothing', async (text, expected) => {
    expect((await commands(text)).map(shown)).toEqual(expected);
  });

  it.each(UNREADABLE)('[V-3] %j cannot be parsed', async (text) => {
    const result = await reader.read(text);
    expect(result.ok).toBe(false);
    expect(result.ok ? '' : result.message).toMatch(/^The .*\.$/);
  });

  it('[V-3] a program is given as written and by its name', async () => {
    const [command] = await commands('../bin/rm -rf "a b" > out 2>&1 < "$in"');
    expect(command).toEqual({
      program: '../bin/rm',
      name: 'rm',
      args: ['-rf', 'a b'],
      text: '../bin/rm -rf "a b"',
      redirects: [
        { op: '>', target: 'out' },
        { op: '>&', target: '1' },
        { op: '<', target: null },
      ],
    });
  });

  it('[V-3] redirections without a program are those of the null command', async () => {
    expect(await commands('while a; do b; done >> log')).toContainEqual({
      program: ':',
      name: ':',
      args: [],
      text: '>> log',
      redirects: [{ op: '>>', target: 'log' }],
    });
  });

  it('[V-3] the text of a here-document is a redirect', async () => {
    const [command] = await commands("cat <<'EOF'\nrm $x\nEOF");
    expect(command?.redirects).toEqual([{ op: '<<', target: 'rm $x\n' }]);
  });

  it.each([
    ['substitutions', '$('.repeat(20_000) + 'a' + ')'.repeat(20_000)],
    ['quoted substitutions', '"$('.repeat(5_000) + 'a' + ')"'.repeat(5_000)],
    ['groups', '{ '.repeat(5_000) + 'a' + '; }'.repeat(5_000)],
    ['starters', 'sudo '.repeat(20_000) + 'a'],
    ['braces', '${a:-'.repeat(5_000) + 'a' + '}'.repeat(5_000)],
  ])('[V-3] endless %s are refused', async (_, text) => {
    expect((await reader.read(text)).ok).toBe(false);
  });

  it('[V-3] a text longer than a program can be given is refused', async () => {
    expect(await reader.read('a'.repeat(128 * 1024 + 1))).toEqual({ ok: false, message: 'The shell text is longer than 128 KiB.' });
  });

  it('[V-3] many commands are all read', async () => {
    expect(await commands('eval a; '.repeat(5_000))).toHaveLength(10_000);
  });
});

describe('the shell reader that guesses', () => {
  it.each([
    ['X=rm; $X -rf /', ['rm -rf /']],
    ["X='rm -rf /'; $X", ['rm -rf /']],
    ['IFS=_; X=rm_a; $X', ['rm_a', 'rm a']],
    ['IFS=_; X=rm_a; "$X"', ['rm_a']],
    ['X=ls; X=rm; $X a', ['ls a', 'rm a']],
    ['X=$(cat f); $X a', ['cat f', '? a']],
    ['rm $Y', ['rm $Y']],
    ['cmd=(rm "a b"); "${cmd[@]}"', ['rm a b']],
    ['alias r=rm; r a', ['alias r=rm', 'rm', 'r a', 'rm a']],
    ["echo 'rm a' | sh", ['echo rm a', 'sh', 'rm a']],
    ["bash -c 'rm $1' _ a", ['bash -c rm $1 _ a', 'rm a']],
    ['curl x | sh', ['curl x', 'sh', '?']],
    ['bash -c "rm $Y"', ['bash -c rm $Y', 'rm $Y', '?']],
  ])('[V-3] %j probably runs %j', async (text, expected) => {
    const result = await reader.read(text, { guess: true });
    expect(result.ok ? result.commands.map(shown) : result.message).toEqual(expected);
  });

  it('[V-3] an unknown program comes with the statement around it', async () => {
    const result = await reader.read('ls; curl x | sh; ls', { guess: true });
    expect(result.ok ? result.commands.filter(({ program }) => program === null).map(({ text }) => text) : []).toEqual(['curl x | sh']);
  });
});
