import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Starts a small process with which the system is compared. Its program is in `references/`. Resolves when it accepts requests. */
export async function startReference(name: string, ...args: string[]) {
  const file = join(import.meta.dirname, 'references', `${name}.ts`);
  const child = spawn(process.execPath, [...process.execArgv, file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line) => resolve(String(line).trim()));
    void exited.then(() => reject(new Error(`the reference ${name} ended`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    /** The address as `host:port`. */
    address: `127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop(): Promise<void> {
      child.kill();
      await exited;
    },
  };
}
