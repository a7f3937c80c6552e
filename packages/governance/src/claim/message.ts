import { cutText, escapeControls } from '@gated-flow/text';
import type { ClaimReading, UnsupportedClaim } from './read.js';

const MAX_LISTED = 20;
const MAX_SENTENCE = 300;

/** What the held agent is told (V-9); empty when everything is supported. Control characters are shown, long sentences cut. */
export function claimMessage({ unsupported, isCut }: ClaimReading): string {
  if (unsupported.length === 0) return '';
  const more = unsupported.length - MAX_LISTED;
  return [
    unsupported.length === 1
      ? 'One sentence of the output claims more than it shows:'
      : `${isCut ? 'More than ' : ''}${unsupported.length} sentences of the output claim more than they show:`,
    ...unsupported.slice(0, MAX_LISTED).map(claimLine),
    ...(more > 0 ? [`- and ${more} more.`] : []),
    'Support each in the sentence itself: `[n]` of a source you cited, a link or a code span with the name of a file that exists in $INPUT or $PWD, or a code span with a command that you ran and that exited 0.',
    'Or bound it: say what was not checked, or leave the word out.',
  ].join('\n');
}

function claimLine({ sentence, terms, where }: UnsupportedClaim): string {
  const text = sentence.replace(/\s+/g, ' ');
  const cut = cutText(text, MAX_SENTENCE);
  const place = where.kind === 'line' ? `line ${where.line}` : where.pointer === '' ? 'the value' : where.pointer;
  return `- ${escapeControls(cutText(place, MAX_SENTENCE))} (${terms.map((term) => escapeControls(term)).join(', ')}): ${escapeControls(cut)}${cut === text ? '' : ' …'}`;
}
