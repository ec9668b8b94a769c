/** Reports the port to the parent process, and ends this process when the parent ends. */
export function announce(port: number): void {
  process.stdout.write(`${port}\n`);
  process.stdin.resume().once('end', () => process.exit());
}
