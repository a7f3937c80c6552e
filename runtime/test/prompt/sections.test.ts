import { describe, expect, it } from 'vitest';
import { controlTools } from '../../src/agent/control/index.js';
import { firstTurn, type PromptParts, systemPrompt } from '../../src/prompt/sections.js';
import { slotLines } from '../../src/prompt/slots.js';

const BARE: PromptParts = {
  purpose: '',
  workspace: '',
  procedure: '',
  step: null,
  instructions: 'Write the word.',
  conduct: [],
  schema: null,
  slots: slotLines({}, (name) => name !== 'SKILLS' && name !== 'SUBFLOWS'),
  skills: [],
  helpers: [],
  tools: [],
};

const FULL: PromptParts = {
  ...BARE,
  purpose: 'Help the reader.',
  workspace: 'The folder $PWD holds:\n\n- AGENTS.md: notes about this folder.',
  procedure: 'Read, then tell.',
  step: { number: 2, of: 3 },
  instructions: 'Analyze.\n\n## Checklist\n\n- Every claim has a line number',
  conduct: ['You must name the file.', 'You must not reveal a password.', 'You may ask the reader.'],
  schema: { kind: 'json', path: 'schema.json', text: '{\n  "type": "object"\n}\n', schema: { type: 'object' } },
  slots: slotLines({ corpus: 'the papers to read.' }, (name) => name !== 'SUBFLOWS'),
  skills: [{ name: 'cite', description: 'How to cite.' }],
  tools: controlTools({ items: 1 }).map(({ spec }) => spec),
};

describe('[P-1] the system prompt', () => {
  it('[P-1] has every section in its order', async () => {
    const prompt = systemPrompt(FULL);
    expect([...prompt.matchAll(/^# (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Purpose',
      'Workspace',
      'Procedure',
      'Instructions',
      'Conduct',
      'Output',
      'Slots',
      'Skills',
      'Tools',
    ]);
    await expect(prompt).toMatchFileSnapshot('golden/full.txt');
  });

  it('[P-1] leaves empty sections out', async () => {
    await expect(systemPrompt(BARE)).toMatchFileSnapshot('golden/bare.txt');
  });

  it('[P-1] ends a skill’s description like a sentence', () => {
    const prompt = systemPrompt({ ...FULL, skills: [{ name: 'cite', description: 'How to cite' }] });
    expect(prompt).toContain('- cite: How to cite. Read `$SKILLS/cite/SKILL.md` before using it.');
  });

  it('[P-1 G-4] asks for a selection in place of an output', async () => {
    const tools = controlTools({ items: 0, select: ['fix', 'stop'] }).map(({ spec }) => spec);
    const slots = slotLines({}, (name) => ['PWD', 'INPUT', 'TMP'].includes(name));
    await expect(systemPrompt({ ...BARE, slots, tools, alternatives: ['fix', 'stop'] })).toMatchFileSnapshot('golden/selection.txt');
  });

  it('[P-1] shows a template in a fence that the template cannot end', () => {
    const text = '---\nverdict: str\n---\n\n````\n# Output\n````\n';
    const prompt = systemPrompt({ ...BARE, schema: { kind: 'md', path: 'schema.md', text, keys: [{ key: 'verdict', type: 'str' }] } });
    expect(prompt).toContain('`````markdown\n---\nverdict: str');
  });

  it('[P-2] tells nothing of the machinery in words of ours', () => {
    const prompt = systemPrompt({ ...FULL, purpose: '', procedure: '', instructions: '' });
    expect(prompt).not.toMatch(/\b(assembly|flow|stage|gate|hook|contract|retr(y|ies)|timeout|model|provider|repeat|record|runtime)\b/i);
  });
});

describe('[P-1] the first turn', () => {
  it('[P-1] names the files and asks', async () => {
    await expect(firstTurn(['analyze.json', 'request.txt'])).toMatchFileSnapshot('golden/first-turn.txt');
  });

  it('[P-1 G-4] asks whoever selects to decide', async () => {
    await expect(firstTurn(['request.txt'], true)).toMatchFileSnapshot('golden/first-turn-selection.txt');
  });

  it('[P-1] shows control and bidi characters in a file name escaped', () => {
    const turn = firstTurn(['a\u202egnp.exe', 'two\nlines', 'bell\u0007']);
    expect(turn).toContain('\\u202e');
    expect(turn).not.toMatch(/[\u202e\u0007]/);
    expect(turn.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(3);
  });

  it('[P-1] says so when nothing was given', () => {
    expect(firstTurn([])).toMatch(/^\$INPUT holds no files\./);
  });
});
