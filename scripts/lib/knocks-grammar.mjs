// What an assembly may hold by name, said a second time and independently of the reader (A-1 to A-16, G-1 to G-8).
const CONTRACT = /\.contract\.(yaml|json)$/;
const NUMBERED = /^\d{1,9}-/;
const SEQUENCE_SENTINELS = ['STAGE.md', 'LOOP.md', 'CHOOSE.md', 'PARALLEL.md', 'FANOUT.md'];
const FLOW_SENTINELS = ['FLOW.md', 'DESCEND.md'];
const LEFT_OVER = /(~|\.swp|\.bak|\.orig)$|^#.*#$/;

/**
 * Paths that no rule names, of a tree given as nested maps: name → map for a folder, `{text, executable}` for a file, `{odd}` for
 * anything else. A tree with such a path must be refused; a tree without one may still be, for what its files say.
 */
export function unnamed(tree) {
  const found = [];
  if (tree.has('ASSEMBLY.md')) root(tree, found);
  else if (FLOW_SENTINELS.some((name) => tree.has(name))) flow(tree, '', found);
  else if (tree.has('STAGE.md')) stage(tree, '', found);
  else found.push('.');
  return found;
}

const isFolder = (entry) => entry instanceof Map;
const isFile = (entry) => !isFolder(entry) && 'text' in entry;

function each(folder, at, found, rule) {
  for (const [name, entry] of folder) {
    if (name.startsWith('.')) continue;
    const path = at === '' ? name : `${at}/${name}`;
    if (!isFolder(entry) && !isFile(entry)) found.push(path);
    else if (!rule(name, entry, path)) found.push(path);
  }
}

function root(tree, found) {
  if (!isFolder(tree.get('flows'))) found.push('.');
  each(tree, '', found, (name, entry, path) => {
    if (isFile(entry))
      return (
        fenced(name, entry, ['ASSEMBLY.md']) || ['README.md', 'LICENSE', 'governance.contract.json'].includes(name) || CONTRACT.test(name)
      );
    if (name === 'flows') return flows(entry, path, found);
    return name === 'contracts' || name === 'docs' || beside(name, entry, path, found);
  });
}

/** `lib`, `skills`, `subflows`: wherever they may stand. */
function beside(name, entry, path, found) {
  if (name === 'lib') return plain(entry, path, found);
  if (name === 'skills') return skills(entry, path, found);
  return name === 'subflows' && flows(entry, path, found);
}

/** Anything but links and the like. */
function plain(folder, at, found) {
  each(folder, at, found, (_, entry, path) => isFile(entry) || plain(entry, path, found));
  return true;
}

function skills(folder, at, found) {
  each(folder, at, found, (name, entry, path) => {
    if (isFile(entry)) return name === 'README.md';
    plain(entry, path, found);
    return entry.has('SKILL.md') && isFile(entry.get('SKILL.md'));
  });
  return folder.size > 0;
}

function flows(folder, at, found) {
  each(folder, at, found, (name, entry, path) => (isFile(entry) ? name === 'README.md' : flow(entry, path, found)));
  return folder.size > 0;
}

function flow(folder, at, found) {
  if (FLOW_SENTINELS.filter((name) => folder.has(name)).length !== 1) return false;
  return sequence(folder, at, found, FLOW_SENTINELS, true);
}

/** A numbered sequence under a sentinel, or under none (a branch of several stages). */
function sequence(folder, at, found, sentinels, rich = false) {
  const numbers = [...folder.keys()].filter((name) => NUMBERED.test(name)).map((name) => Number(name.split('-', 1)[0]));
  if (numbers.length === 0 || new Set(numbers).size !== numbers.length) return false;
  each(folder, at, found, (name, entry, path) => {
    if (isFile(entry))
      return (
        name === 'README.md' ||
        fenced(name, entry, sentinels) ||
        (rich && CONTRACT.test(name)) ||
        (NUMBERED.test(name) && stageFile(name, entry))
      );
    if (NUMBERED.test(name)) return step(entry, path, found);
    return name === 'skills' ? skills(entry, path, found) : rich && beside(name, entry, path, found);
  });
  return true;
}

function stageFile(name, entry) {
  return name.endsWith('.md') && fenced(name, entry, [name]);
}

function step(folder, at, found) {
  const sentinels = SEQUENCE_SENTINELS.filter((name) => folder.has(name));
  if (sentinels.length !== 1) return false;
  if (sentinels[0] === 'STAGE.md') return stage(folder, at, found);
  if (sentinels[0] === 'LOOP.md') return sequence(folder, at, found, ['LOOP.md']);
  if (sentinels[0] === 'FANOUT.md') {
    each(folder, at, found, (name, entry, path) =>
      isFile(entry) ? name === 'README.md' || fenced(name, entry, ['FANOUT.md']) : name === 'skills' && skills(entry, path, found),
    );
    return true;
  }
  return branches(folder, at, found, sentinels[0]);
}

function branches(folder, at, found, sentinel) {
  each(folder, at, found, (name, entry, path) => {
    if (isFile(entry)) return name === 'README.md' || fenced(name, entry, [sentinel]) || (stageFile(name, entry) && !NUMBERED.test(name));
    if (name === 'skills') return skills(entry, path, found);
    if (NUMBERED.test(name)) return false;
    return SEQUENCE_SENTINELS.some((each) => entry.has(each)) ? step(entry, path, found) : sequence(entry, path, found, []);
  });
  return true;
}

function stage(folder, at, found) {
  const stems = { schema: 0, gate: 0, before: 0, success: 0, failure: 0, contract: 0 };
  each(folder, at, found, (name, entry, path) => {
    const stem = name.split('.', 1)[0];
    if (isFolder(entry)) {
      if (name === 'gate') return (stems.gate += 1) === 1 && gates(entry, path, found);
      return beside(name, entry, path, found);
    }
    if (name === 'README.md' || fenced(name, entry, ['STAGE.md'])) return true;
    if (CONTRACT.test(name)) return (stems.contract += 1) === 1;
    if (name === 'schema.json' || name === 'schema.md') return (stems.schema += 1) === 1;
    if (['gate', 'before', 'success', 'failure'].includes(stem) && !LEFT_OVER.test(name))
      return (stems[stem] += 1) === 1 && runnable(entry);
    return false;
  });
  return true;
}

function gates(folder, at, found) {
  each(
    folder,
    at,
    found,
    (name, entry) => isFile(entry) && !LEFT_OVER.test(name) && !/^(before|success|failure)(\.|$)/.test(name) && runnable(entry),
  );
  return folder.size > 0;
}

/** A sentinel or stage file begins with fences that are closed, and is UTF-8 without a byte-order mark there. */
function fenced(name, { text }, names) {
  return names.includes(name) && /^---\r?\n(?:[^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/.test(text);
}

function runnable({ text, executable }) {
  return executable && (text.startsWith('#!') || /^[\x7f\xcf\xfe\xca]/.test(text));
}
