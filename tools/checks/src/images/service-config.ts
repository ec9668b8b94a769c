import { loadConfig as gateway } from '@shopscope/gateway';
import { loadConfig as keys } from '@shopscope/keys';
import { loadConfig as metering } from '@shopscope/metering';
import { loadConfig as profiles } from '@shopscope/profiles';
import { loadConfig as scanScheduler } from '@shopscope/scan-scheduler';
import { loadConfig as scanner } from '@shopscope/scanner';

type Environment = Readonly<Record<string, string>>;

/** How each service reads its environment; each throws with every fault. */
export const serviceConfigs: Readonly<Record<string, (env: Environment) => object>> = {
  gateway,
  keys,
  metering,
  profiles,
  'scan-scheduler': scanScheduler,
  scanner,
};

const portVariables = ['HTTP_PORT', 'GRPC_PORT', 'ADMIN_PORT'];

/** Variables of the ports that a container listens on, with the ports that they have under `env`. */
export function listeningPorts(name: string, env: Environment): Record<string, number> {
  const load = serviceConfigs[name];
  if (!load) return env.PORT ? { PORT: Number(env.PORT) } : {};
  const ports = Object.entries(load(env)).filter(([variable]) => portVariables.includes(variable));
  return Object.fromEntries(ports);
}
