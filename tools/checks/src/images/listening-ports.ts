import { serviceConfigs } from '../service-configs.ts';

const portVariables = ['HTTP_PORT', 'INTERNAL_PORT', 'GRPC_PORT', 'ADMIN_PORT'];

/** Variables of the listening ports of a container, with their values in `env`. */
export function listeningPorts(name: string, env: Readonly<Record<string, string>>): Record<string, number> {
  const load = serviceConfigs[name];
  // Programs of this repository have the first variable, and OpenSearch has the second one.
  const own = env.PORT ?? env['http.port'];
  if (!load) return own ? { PORT: Number(own) } : {};
  const ports = Object.entries(load(env)).filter(([variable]) => portVariables.includes(variable));
  return Object.fromEntries(ports);
}
