import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { endLeftovers } from '@shopscope/local-stack';
import { runningPid } from './lock.ts';
import { localDirectory } from './settings.ts';

/** Ends the processes that a killed `npm start` left running. Data and keys stay. */
const stateDir = localDirectory(process.env);
if (runningPid(stateDir) === undefined) {
  rmSync(join(stateDir, 'ready.json'), { force: true });
  await endLeftovers(stateDir);
  rmSync(join(stateDir, 'running.pid'), { force: true });
}
