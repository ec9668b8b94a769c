import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The parts of the local system's `ready.json` that operator commands use. */
export interface LocalSystem {
  services?: Partial<Record<string, { url: string | null; grpc_url?: string }[]>>;
  stack?: { mongodb?: { url: string }; kafka?: { brokers: string } };
  /** The operator's GRPC_TLS_*_FILE variables, if the services use TLS. */
  operator_tls?: Record<string, string>;
}

/** Returns the path of the file that `npm start` writes for the running local system. */
export const localSystemPath = (env: Env): string => join(env.SHOPSCOPE_LOCAL_DIR ?? '.local', 'ready.json');

/** Throws an Error of one sentence if no system runs. `setting` is the variable that selects another system. */
export function readLocalSystem(env: Env, setting: string): LocalSystem {
  const path = localSystemPath(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`No running system is recorded in ${path}; start one with npm start, or set ${setting}.`);
  }
  try {
    return JSON.parse(text) as LocalSystem;
  } catch {
    throw new Error(`${path} is not JSON; start the system again with npm start, or set ${setting}.`);
  }
}
