import { wellFormed } from '@gated-flow/text';
import type { Evidence } from './evidence.js';
import { isSupported } from './evidence.js';
import { piecesOf } from './pieces.js';
import type { Piece } from './pieces.js';
import { sentencesOf } from './sentence.js';
import { compileTerms } from './terms.js';
import type { Terms } from './terms.js';

/** What is read, and by which words. */
export interface ClaimText {
  readonly output: string;
  readonly format: 'markdown' | 'json';
  /** The strong words, as the contract lists them. */
  readonly terms: readonly string[];
}

/** One sentence that claims more than it shows. */
export interface UnsupportedClaim {
  /** Quotes left out, code spans as `…`; well-formed, of any length. */
  readonly sentence: string;
  /** As the contract writes them. */
  readonly terms: readonly string[];
  readonly where: Where;
}

/** Lines are counted from 1; a pointer is that of RFC 6901. */
export type Where = { readonly kind: 'line'; readonly line: number } | { readonly kind: 'pointer'; readonly pointer: string };

export interface ClaimReading {
  /** How many sentences claim something. */
  readonly claims: number;
  readonly unsupported: readonly UnsupportedClaim[];
  /** The reading stopped at MAX_UNSUPPORTED: there may be more. */
  readonly isCut: boolean;
}

/** Nobody mends more at once. */
const MAX_UNSUPPORTED = 100;

/** Every sentence of the output with a strong word that is neither denied nor left open nor supported in the same sentence (V-9). */
export async function readClaims({ output, format, terms }: ClaimText, evidence: Evidence): Promise<ClaimReading> {
  const compiled = compileTerms(terms);
  const unsupported: UnsupportedClaim[] = [];
  let claims = 0;
  for await (const claim of claimsOf(wellFormed(output), format, compiled)) {
    claims++;
    if (await isSupported(claim.text, claim.mentions, evidence)) continue;
    if (unsupported.length === MAX_UNSUPPORTED) return { claims, unsupported, isCut: true };
    unsupported.push({ sentence: claim.text.replaceAll('\ufffc', '`…`'), terms: claim.terms, where: claim.where() });
  }
  return { claims, unsupported, isCut: false };
}

/** So many characters are read as markdown; what lies behind them is taken as it stands, code and quotes too, which only asks for more. */
const MAX_PARSED = 256 * 1024;

async function* claimsOf(output: string, format: ClaimText['format'], terms: Terms) {
  let parsed = 0;
  for (const piece of piecesOf(output, format, terms)) {
    // Loaded only where there is something to read; a module is loaded once.
    const { passagesOf, plainPassage } = await import('./markdown.js');
    parsed += piece.text.length;
    for (const passage of parsed > MAX_PARSED ? [plainPassage(piece.text, piece.offset)] : passagesOf(piece.text, piece.offset)) {
      for (const { text, mentions, source } of sentencesOf(passage)) {
        const found = terms.claimedIn(text);
        if (found.length > 0) yield { text, mentions, terms: found, where: () => whereIs(output, piece, source) };
      }
    }
  }
}

function whereIs(output: string, { pointer }: Piece, source: number): Where {
  if (pointer !== undefined) return { kind: 'pointer', pointer };
  let line = 1;
  for (let at = output.indexOf('\n'); at !== -1 && at < source; at = output.indexOf('\n', at + 1)) line++;
  return { kind: 'line', line };
}
