import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { endLeftovers, removeDockerVolumes } from '@shopscope/local-stack';
import { runningPid } from './lock.ts';
import { localDirectory } from './settings.ts';

/** Deletes data, keys and logs. Downloaded programs stay. */
const stateDir = localDirectory(process.env);
const pid = runningPid(stateDir);
if (pid) {
  process.stdout.write(`Shopscope is running (pid ${pid}); stop it first with Ctrl-C.\n`);
  process.exitCode = 1;
} else {
  await endLeftovers(stateDir);
  await removeDockerVolumes(stateDir);
  const files = 'state.json ready.json scan-hosts.json demo-stores.json running.pid';
  for (const name of ['data', 'logs', 'pids', ...files.split(' ')]) {
    rmSync(join(stateDir, name), { recursive: true, force: true });
  }
  process.stdout.write(`Data, keys and logs in ${stateDir} are deleted; the next npm start begins with empty data.\n`);
}
