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
