import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startChild } from '@shopscope/local-stack';
import { runToEnd } from './run-to-end.ts';
import type { Workflow } from './workflows.ts';

export interface N8nOptions {
  program: string;
  stateDir: string;
  postgresPort: number;
}

export interface OutputItem {
  json: Record<string, unknown>;
  pairedItem?: { item: number };
  error?: unknown;
}

export type N8n = Awaited<ReturnType<typeof openN8n>>;

const commandTimeoutMs = 600_000;
const startTimeoutMs = 600_000;
const pollMs = 500;

/** n8n with a database of its own. Its nodes are those in `stateDir/.n8n/custom`. */
export async function openN8n({ program, stateDir, postgresPort }: N8nOptions) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: stateDir,
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: '127.0.0.1',
    DB_POSTGRESDB_PORT: String(postgresPort),
    DB_POSTGRESDB_USER: 'n8n',
    DB_POSTGRESDB_DATABASE: 'postgres',
    N8N_USER_FOLDER: stateDir,
    N8N_ENCRYPTION_KEY: 'key-of-a-check',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_COMMUNITY_PACKAGES_ENABLED: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_SECURE_COOKIE: 'false',
    WEBHOOK_URL: `${url}/`,
  };
  /** Each process has its own ports, so that a command can run beside the server. */
  const command = async (args: readonly string[], kill?: AbortSignal) =>
    runToEnd(process.execPath, [program, ...args], {
      cwd: stateDir,
      env: { ...env, N8N_PORT: String(await freePort()), N8N_RUNNERS_BROKER_PORT: String(await freePort()) },
      timeoutMs: commandTimeoutMs,
      outputFile: join(stateDir, 'output'),
      ...(kill && { kill }),
    });
  const importFile = async (kind: 'credentials' | 'workflow', content: unknown) => {
    mkdirSync(stateDir, { recursive: true });
    const file = join(stateDir, `${kind}.json`);
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
    await command([`import:${kind}`, `--input=${file}`]);
  };
  return {
    url,
    importCredentials: (credentials: unknown[]) => importFile('credentials', credentials),
    importWorkflows: (workflows: readonly Workflow[]) => importFile('workflow', workflows),
    /** Runs a workflow. Resolves to the output of one of its nodes. */
    async execute(id: string, node: string, kill?: AbortSignal): Promise<OutputItem[]> {
      const output = await command(['execute', `--id=${id}`, '--rawOutput'], kill);
      const { data } = JSON.parse(output.slice(output.indexOf('{'))) as ExecutedRun;
      return data.resultData.runData[node]?.[0]?.data.main[0] ?? [];
    },
    publish: (id: string) => command(['publish:workflow', `--id=${id}`]),
    async start() {
      const broker = String(await freePort());
      const child = startChild({
        name: 'n8n',
        command: process.execPath,
        args: [program, 'start'],
        stateDir,
        cwd: stateDir,
        env: { ...env, N8N_PORT: String(port), N8N_RUNNERS_BROKER_PORT: broker },
      });
      const isReady = () =>
        fetch(`${url}/healthz/readiness`).then(
          ({ ok }) => ok,
          () => false,
        );
      for (const endMs = performance.now() + startTimeoutMs; !(await isReady()); await sleep(pollMs)) {
        if (performance.now() < endMs) continue;
        await child.stop();
        throw new Error(`n8n is not ready after ${startTimeoutMs} ms; its log is in ${stateDir}/logs`);
      }
      return child;
    },
  };
}

interface ExecutedRun {
  data: { resultData: { runData: Record<string, { data: { main: OutputItem[][] } }[]> } };
}
