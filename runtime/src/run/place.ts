/** Where a child stands in the outermost run's folder, `/`-separated; null for the outermost itself. */
export function placeIn(outermost: string, folder: string): string | null {
  return folder === outermost ? null : folder.slice(outermost.length + 1);
}
