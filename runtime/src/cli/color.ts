type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a stream may be coloured (I-3). `NO_COLOR` wins over `FORCE_COLOR`: who says never means it. */
export function mayColor(env: Environment, isTerminal: boolean): boolean {
  if (said(env['NO_COLOR'])) return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}

/** Whether a stream may be repainted: never in a CI job, whose log keeps every frame. */
export function mayRepaint(env: Environment, isTerminal: boolean): boolean {
  const ci = env['CI'];
  return isTerminal && env['TERM'] !== 'dumb' && (!said(ci) || ci === 'false' || ci === '0');
}

function said(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
}

/** Colours, or none. What is painted must be escaped already. */
export function paint(color: boolean): Paint {
  const wrap = (open: number, close: number) => (text: string) => (color && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text);
  return { bold: wrap(1, 22), dim: wrap(2, 22), red: wrap(31, 39), yellow: wrap(33, 39), green: wrap(32, 39) };
}
