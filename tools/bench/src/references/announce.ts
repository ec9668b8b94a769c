/** Tells whoever started this process that it serves, and ends it with them. */
export function announce(port: number): void {
  process.stdout.write(`${port}\n`);
  process.stdin.resume().once('end', () => process.exit());
}
