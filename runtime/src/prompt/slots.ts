import type { SlotLine } from './sections.js';

const OWN: Readonly<Record<string, string>> = {
  PWD: 'the folder to work in.',
  INPUT: 'a folder with what you were given.',
  OUTPUT: 'the file to write your result to.',
  TMP: 'a folder for your scratch files; it is empty at the start and deleted afterwards.',
  SKILLS: 'a folder with the skills listed below.',
  SUBFLOWS: 'a folder with what the helpers you called were given and left.',
};

/** The slots an agent reads of: those of the runtime's own that it has, in a fixed order, then the declared ones in theirs (S-1). */
export function slotLines(declared: Readonly<Record<string, string>>, has: (name: string) => boolean): readonly SlotLine[] {
  const own = Object.entries(OWN).filter(([name]) => has(name));
  return [
    ...own.map(([name, description]) => ({ name, description })),
    ...Object.entries(declared).map(([name, description]) => ({ name: name.toUpperCase(), description })),
  ];
}
