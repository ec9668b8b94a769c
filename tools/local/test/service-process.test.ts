import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, LocalStackError } from '@shopscope/local-stack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceProcess } from '../src/start/service-process.ts';
import { createSupervisor } from '../src/start/supervisor.ts';

/** Small real programs replace the services. They are started, killed and stopped like services. */
const ready = `
  require('node:http').createServer((_, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));`;

const isAlive = (pid: number | null) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

describe('service as a process', () => {
  let stateDir: string;
  let port: number;
  beforeEach(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'service-process-'));
    port = await freePort();
  });
  afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

  const program = (source: string) => {
    const entry = join(stateDir, 'service.cjs');
    writeFileSync(entry, source);
    const readyUrl = `http://127.0.0.1:${port}/readyz`;
    return serviceProcess({ name: 'metering', entry, env: { PORT: `${port}` }, stateDir, ports: [port], readyUrl });
  };

  it('a service process that is killed is started again, and its new pid is reported', async () => {
    const member = program(ready);
    const published = Promise.withResolvers<number | null>();
    const supervisor = createSupervisor({
      report: () => {},
      onChange: () => published.resolve(member.pid),
      sleep: async () => {},
    });
    await supervisor.add([member]);
    const { pid } = member;
    process.kill(pid as number, 'SIGKILL');
    const newPid = await published.promise;
    expect(newPid).not.toBe(pid);
    expect(isAlive(newPid)).toBe(true);
    expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(200);

    await supervisor.stop();
    expect(isAlive(newPid)).toBe(false);
    expect(existsSync(join(stateDir, 'pids/metering.json'))).toBe(false);
  });

  it('a service process that cannot start says why in one sentence, with its last output and its log', async () => {
    const member = program(`console.error('KEY_PEPPER: is required'); process.exit(78);`);
    await expect(member.start()).rejects.toThrow(
      new LocalStackError(
        `metering exited with code 78 while starting; its log is ${stateDir}/logs/metering.log: KEY_PEPPER: is required`,
      ),
    );
  });

  it('a service process refuses a busy port, naming it and the variable that moves it', async () => {
    const busy = createServer().listen(port, '127.0.0.1');
    await expect(program(ready).start()).rejects.toThrow(
      `Port ${port} for metering is in use; stop what listens there, or set SHOPSCOPE_PORT_BASE.`,
    );
    busy.close();
  });
});
