/** No column is padded wider than this; a longer cell pushes its own row only. */
const WIDEST = 44;
/** The colours that `paint` adds. */
const COLOR = /\u001b\[[0-9;]*m/g;

/** Rows with their columns in line, one space in from the left; columns that are empty everywhere are left out. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.min(
      WIDEST,
      rows.reduce((widest, row) => Math.max(widest, visible(row[column])), 0),
    ),
  );
  return rows.map((row) => {
    const cells = row.flatMap((cell, column) =>
      widths[column] === 0 ? [] : [cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - visible(cell)))],
    );
    return ` ${cells.join('   ')}`.trimEnd();
  });
}

function visible(cell: string | undefined): number {
  return (cell ?? '').replace(COLOR, '').length;
}
