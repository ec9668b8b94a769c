import { chownSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startChild } from '@shopscope/local-stack';
import { runToEnd } from './run-to-end.ts';

const initTimeoutMs = 60_000;
const readyTimeoutMs = 60_000;
const pollMs = 200;

/** Starts an empty PostgreSQL on loopback, from the package of Debian. n8n's SQLite driver needs a download. */
export async function startPostgres(stateDir: string) {
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1);
  if (bin === undefined) throw new Error('Install PostgreSQL: apt-get install --no-install-recommends postgresql');
  const data = join(stateDir, 'postgres');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const asUser = await unprivileged(data);
  const port = await freePort();
  await runToEnd(...asUser(join(bin, 'initdb'), ['-D', data, '-U', 'n8n', '-A', 'trust', '-E', 'UTF8', '--no-sync']), {
    cwd: '/',
    timeoutMs: initTimeoutMs,
  });
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${data}`];
  const [command, args] = asUser(join(bin, 'postgres'), [
    ...['-D', data, '-p', String(port)],
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  const child = startChild({ name: 'postgres', command, args, stateDir, cwd: '/' });
  for (const endMs = performance.now() + readyTimeoutMs; ; await sleep(pollMs)) {
    const probe = runToEnd(
      join(bin, 'pg_isready'),
      ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', '-d', 'postgres'],
      {
        timeoutMs: initTimeoutMs,
      },
    );
    if (await probe.then(Boolean, () => false)) break;
    if (performance.now() > endMs) {
      await child.stop();
      throw new Error(`PostgreSQL is not ready after ${readyTimeoutMs} ms; its log is in ${stateDir}/logs`);
    }
  }
  return { port, stop: () => child.stop() };
}

/** PostgreSQL refuses to run as root. Its package has created the user `postgres`. */
async function unprivileged(data: string): Promise<(command: string, args: string[]) => [string, string[]]> {
  if (process.getuid?.() !== 0) return (command, args) => [command, args];
  const id = async (kind: string) => Number(await runToEnd('id', [kind, 'postgres'], { timeoutMs: initTimeoutMs }));
  const [uid, gid] = [await id('-u'), await id('-g')];
  chownSync(data, uid, gid);
  // The folder of the checks may be below one that only root can enter.
  await runToEnd('chmod', ['a+x', dirname(data)], { timeoutMs: initTimeoutMs });
  const options = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return (command, args) => ['setpriv', [...options, command, ...args]];
}
