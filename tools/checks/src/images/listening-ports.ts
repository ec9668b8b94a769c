import { serviceConfigs } from '../service-configs.ts';

const portVariables = ['HTTP_PORT', 'GRPC_PORT', 'ADMIN_PORT'];

/** Variables of the ports that a container listens on, with the ports that they have under `env`. */
export function listeningPorts(name: string, env: Readonly<Record<string, string>>): Record<string, number> {
  const load = serviceConfigs[name];
  if (!load) return env.PORT ? { PORT: Number(env.PORT) } : {};
  const ports = Object.entries(load(env)).filter(([variable]) => portVariables.includes(variable));
  return Object.fromEntries(ports);
}
