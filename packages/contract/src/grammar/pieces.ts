/** Pieces the expressions of the table are made of. */

/** `the output's`, `the output must`, or nothing. */
export const SUBJECT = String.raw`(?:(?:the )?(?:agent's )?(?<subject>input|request|prompt|output|response|answer|reply)(?:'s)? )?(?:must |should |shall |will )?`;
/** `the agent must`, or nothing. */
export const LEAD = String.raw`(?:(?:the )?(?:agent|run|assistant|bot) )?(?:must |should |shall |will )?`;
/** `does not`, as the group `not`. */
export const NOT = String.raw`(?<not>(?:does not|do not|doesn't|don't|must not|may not|cannot|never|not) )?`;
export const LITERAL = String.raw`⟦\d+⟧`;
export const LITERALS = String.raw`${LITERAL}(?:(?:,? (?:and|or) |, )${LITERAL})*`;
/** A tool's name, quoted or not. */
const NAME = String.raw`(?:${LITERAL}|[A-Za-z_][\w.:/-]*)`;
/**
 * `tool NAME`, `tools NAME and NAME`, as the group `names`. One bare word after "tools" is no name: "use tools carelessly" must not
 * become a check of a tool called carelessly.
 */
export const TOOLS = String.raw`(?:the )?tools? (?<names>(?<=tool )${NAME}|${LITERALS}|${NAME}(?:(?:,? (?:and|or) |, )${NAME})+)`;

export function sentence(...pieces: readonly string[]): RegExp {
  return new RegExp(`^${pieces.join('')}$`, 'iu');
}
