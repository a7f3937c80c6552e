/** Commands to try next, each with what it does, in two columns. Lines end with a line feed; neither redacted nor escaped. */
export function nextCommands(commands: readonly (readonly [command: string, does: string])[]): string {
  const widest = Math.max(0, ...commands.map(([command]) => command.length));
  return commands.map(([command, does]) => `  ${command.padEnd(widest)}   ${does}\n`).join('');
}
