/** What is wrong with an assembly or a request, found before anything runs. */
export interface Refusal {
  readonly code: RefusalCode;
  /** Relative to the assembly (`.` for its root), or `home:config.yaml`, `script:LINE`, `request`, `command`. */
  readonly path: string;
  /** Sentences for a person: what was found, and what to do instead. */
  readonly message: string;
  /** A command line that repairs it, when one does. */
  readonly fix?: string;
}

/** The closed list. A code names a fix: two faults with the same fix share one. */
export const REFUSAL_CODES = [
  'assembly-incomplete',
  'assembly-unknown',
  'flow-unknown',
  'sentinel-missing',
  'sentinel-duplicate',
  'sentinel-unknown',
  'body-missing',
  'body-unexpected',
  'frontmatter-invalid',
  'key-unknown',
  'key-missing',
  'value-invalid',
  'schema-duplicate',
  'schema-invalid',
  'gate-conflict',
  'hook-duplicate',
  'not-runnable',
  'skill-invalid',
  'contract-invalid',
  'governance-invalid',
  'alternative-mismatch',
  'chooser-invalid',
  'branch-numbered',
  'container-check',
  'loop-nested',
  'tail-container',
  'number-duplicate',
  'number-missing',
  'number-invalid',
  'symlink',
  'entry-unknown',
  'unreadable',
  'folder-empty',
  'input-collision',
  'slot-reserved',
  'slot-missing',
  'path-missing',
  'request-invalid',
  'intelligence-unresolved',
  'model-unresolved',
  'credential-missing',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** What a code means and what removes it, for docs/refusals.md. Code spans and links are markdown. */
export interface RefusalMeaning {
  readonly means: string;
  readonly repair: string;
}

export const REFUSAL_MEANINGS: Readonly<Record<RefusalCode, RefusalMeaning>> = {
  'assembly-incomplete': {
    means: 'The folder has no `ASSEMBLY.md`, or no `flows/`.',
    repair: 'Add what is missing.',
  },
  'assembly-unknown': {
    means: 'There is no assembly at the path or under the name that was given.',
    repair: 'Check the path. A word without a slash is a name under the home.',
  },
  'flow-unknown': {
    means: 'A flow, subflow or stage was named that the assembly does not have.',
    repair: 'Use one of the names that the message lists.',
  },
  'sentinel-missing': { means: 'Nothing says what a folder is.', repair: "Add `STAGE.md`, a container's file, or `FLOW.md` for a flow." },
  'sentinel-duplicate': { means: 'A folder says twice what it is.', repair: 'Keep the file that is meant.' },
  'sentinel-unknown': {
    means: 'A capitalised markdown file looks like the one that says what a folder is, but is none here.',
    repair: 'Rename it as the message suggests, move it, or delete it.',
  },
  'body-missing': {
    means: 'A stage or a choice has no text besides its front matter and comments.',
    repair: 'Write the text below the second `---`.',
  },
  'body-unexpected': { means: 'A file has text that nobody would read.', repair: 'Delete it, or move it into a stage.' },
  'frontmatter-invalid': {
    means: 'The front matter cannot be read as strict YAML 1.2 between two `---` lines.',
    repair: 'Repair the line that the message names.',
  },
  'key-unknown': { means: 'A front matter key means nothing in this file.', repair: 'Correct its spelling, or delete it.' },
  'key-missing': { means: 'A front matter key that has to be there is not.', repair: 'Add it.' },
  'value-invalid': { means: 'A value, a name or a size is outside of what is allowed.', repair: 'Write what the message says it takes.' },
  'schema-duplicate': { means: 'A stage has both `schema.json` and `schema.md`.', repair: 'Keep one.' },
  'schema-invalid': {
    means: 'A schema is not JSON Schema 2020-12, needs something from elsewhere, or a template asks for a type that does not exist.',
    repair: 'Repair the place that the message names.',
  },
  'gate-conflict': {
    means: 'A stage has more than one gate and no order for them.',
    repair: 'Keep one file, or put all of them into `gate/`.',
  },
  'hook-duplicate': { means: 'A stage has two hooks of one kind.', repair: 'Keep one.' },
  'not-runnable': {
    means: 'A gate or hook could not be started: no executable bit, no shebang, or one the system cannot use.',
    repair: 'Run the command line under the message.',
  },
  'skill-invalid': { means: 'A skill has no `SKILL.md`, or no description of one line.', repair: 'Add it.' },
  'contract-invalid': { means: 'A behavioural contract cannot be used, or a place has two.', repair: 'Repair it, or keep one.' },
  'governance-invalid': {
    means: 'A governance contract cannot be used, or stands elsewhere than beside `ASSEMBLY.md`.',
    repair: 'Repair it, or move it.',
  },
  'alternative-mismatch': {
    means: 'The list in `CHOOSE.md` and the entries beside it name different alternatives.',
    repair: 'Make the two the same.',
  },
  'chooser-invalid': { means: 'A choice has one alternative.', repair: 'Add another, or do without the choice.' },
  'branch-numbered': { means: 'A branch or an alternative has a number, and they have no order.', repair: 'Rename it without the number.' },
  'container-check': {
    means: 'A check, hook, checklist or contract stands where no single agent is held.',
    repair: 'Move it into the stage it is about.',
  },
  'loop-nested': { means: 'A LOOP stands inside a LOOP.', repair: 'Take one away, or move the inner one into a subflow.' },
  'tail-container': { means: 'A sequence ends in a container, or a branch is directly a PARALLEL.', repair: 'Add a stage after it.' },
  'number-duplicate': { means: 'Two entries of a sequence have the same number.', repair: 'Renumber one.' },
  'number-missing': { means: 'A stage in a sequence has no number.', repair: 'Call it `NUMBER-NAME`.' },
  'number-invalid': { means: 'A number has ten digits or more.', repair: 'Shorten it.' },
  symlink: { means: 'There is a symbolic link in the assembly.', repair: 'Replace it by what it points to.' },
  'entry-unknown': {
    means: 'A file or folder has no meaning where it stands.',
    repair: 'Move it into `lib/`, delete it, or list a top-level folder under `folders:`.',
  },
  unreadable: { means: 'Something could not be read.', repair: 'Repair its permissions, or make the assembly smaller.' },
  'folder-empty': { means: 'A folder promises contents and has none.', repair: 'Fill it, or delete it.' },
  'input-collision': { means: 'A stage would be given two files of one name.', repair: 'Rename one of the two sources.' },
  'slot-reserved': { means: 'A declared slot has a name that is taken, or that no variable can have.', repair: 'Rename it.' },
  'slot-missing': { means: 'A declared slot was not supplied.', repair: 'Give `--SLOT PATH`.' },
  'path-missing': { means: 'A path that has to exist does not.', repair: 'Create it, or name another.' },
  'request-invalid': {
    means: 'There is no request, more than one, or one that cannot be used.',
    repair: 'Give one as an argument, with `@file`, or on standard input.',
  },
  'intelligence-unresolved': {
    means: 'An intelligence is named that no row defines, or none could be found.',
    repair: 'Add the row to `config.yaml`, or give `--model PROVIDER/MODEL`.',
  },
  'model-unresolved': { means: 'The row names a model that cannot be used.', repair: 'Name another. `flow models` lists what is known.' },
  'credential-missing': { means: 'The provider needs a key and none is set.', repair: 'Set the variable that the message names.' },
};
