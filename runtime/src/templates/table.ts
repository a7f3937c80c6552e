/** What `flow new` can begin with; each is a folder of this package's `templates/`, an assembly that can be run as it is. */
export interface Template {
  readonly name: string;
  /** One line, no full stop. */
  readonly summary: string;
  /** A request that fits it, for the commands that are shown. */
  readonly request: string;
  /** Whether it has gates to be tried. */
  readonly gated: boolean;
}

export const TEMPLATES: readonly [Template, ...Template[]] = [
  { name: 'minimal', summary: 'two stages in one file each: the least there is', request: 'how bread is made', gated: false },
  {
    name: 'gated',
    summary: 'schema, checklist, two gates and a hook, with good and bad outputs that prove them',
    request: 'My bike squeaks.',
    gated: true,
  },
  {
    name: 'review',
    summary: 'a loop: a draft that is revised until nothing is left to mend',
    request: 'we release on Thursday',
    gated: true,
  },
];
