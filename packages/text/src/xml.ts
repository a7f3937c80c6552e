/** What XML 1.0 does not allow, even escaped. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text between tags. Characters that XML 1.0 cannot hold are dropped. */
export function xmlText(text: string): string {
  return text.replace(ILLEGAL, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

/** The value of an attribute in double quotes; line feeds and tabs survive. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
