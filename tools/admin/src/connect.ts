import { localSystemPath, readLocalSystem } from '@shopscope/config';
import { createGrpcClient, type GrpcClient, operatorSecurity, type UnaryDefinition } from '@shopscope/grpc';
import type { Kafka } from '@shopscope/kafka';
import {
  DashboardServiceService,
  KeysServiceService,
  MeteringServiceService,
  ProfilesServiceService,
  ScanSchedulerServiceService,
} from '@shopscope/proto';
import { CommandError } from './errors.ts';
import { openKafka } from './open-kafka.ts';

type Env = Readonly<Record<string, string | undefined>>;

const definitions = {
  keys: KeysServiceService,
  metering: MeteringServiceService,
  dashboard: DashboardServiceService,
  profiles: ProfilesServiceService,
  'scan-scheduler': ScanSchedulerServiceService,
};
export type ServiceName = keyof typeof definitions;

/** Clients that connect on first use. */
export type Services = { readonly [Name in ServiceName]: GrpcClient<(typeof definitions)[Name]> } & {
  readonly kafka: Kafka;
};

export type Connections = ReturnType<typeof connect>;

/**
 * Clients for the services at KEYS_ADDRESS, METERING_ADDRESS, DASHBOARD_ADDRESS, PROFILES_ADDRESS and SCAN_SCHEDULER_ADDRESS, with
 * GRPC_TLS_*_FILE.
 * Without these variables: clients for the running local system. A command connects only to the services that it uses, so it needs only their addresses.
 */
export function connect(env: Env) {
  const closing: (() => void)[] = [];
  const addresses = new Map<string, string>();
  const security = once((service: ServiceName) => {
    const opened = operatorSecurity(isAddressed(env) ? env : (readyFile(env, service).operator_tls ?? {}));
    closing.push(() => opened.close());
    return opened;
  });
  const client = <D extends UnaryDefinition>(service: ServiceName, definition: D): GrpcClient<D> => {
    const address = addressIn(env, service);
    addresses.set(service, address);
    const opened = createGrpcClient({ definition, address, security: security(service).towards(service) });
    closing.push(() => opened.close());
    return opened;
  };
  return {
    services: lazily<Services>({
      keys: () => client('keys', definitions.keys),
      metering: () => client('metering', definitions.metering),
      dashboard: () => client('dashboard', definitions.dashboard),
      profiles: () => client('profiles', definitions.profiles),
      'scan-scheduler': () => client('scan-scheduler', definitions['scan-scheduler']),
      kafka() {
        const kafka = openKafka(env);
        closing.push(() => void kafka.close());
        return kafka;
      },
    }),
    /** Returns the address of a service, for messages. */
    addressOf: (service: ServiceName) => addresses.get(service) ?? 'an unknown address',
    close() {
      for (const each of closing.toReversed()) each();
    },
  };
}

const variableOf = (service: string) => `${service.toUpperCase().replace('-', '_')}_ADDRESS`;
const isAddressed = (env: Env) => Object.keys(definitions).some((service) => Boolean(env[variableOf(service)]));

function addressIn(env: Env, service: ServiceName): string {
  const variable = variableOf(service);
  const given = env[variable];
  if (given) return given;
  // An address of one service and the local system for another would mix two systems.
  if (isAddressed(env)) throw new CommandError(`This command calls ${service}: set ${variable} as well.`);
  const urls = readyFile(env, service).services?.[service] ?? [];
  const targets = urls.flatMap(({ url, grpc_url: grpc = url }) => (grpc ? [grpc.replace(/^\w+:\/\//, '')] : []));
  if (targets.length === 0)
    throw new CommandError(`${localSystemPath(env)} has no ${service} service; start the system again.`);
  return targets.length === 1 ? (targets[0] as string) : `ipv4:${targets.join(',')}`;
}

const readyFile = (env: Env, service: ServiceName) => readLocalSystem(env, `${variableOf(service)} (host:port)`);

/** An object whose members are made at their first use. */
function lazily<T extends object>(makers: { readonly [Name in keyof T]: () => T[Name] }): T {
  const members = Object.entries<() => unknown>(makers).map(([name, make]) => [name, { get: once(make) }]);
  return Object.defineProperties({} as T, Object.fromEntries(members));
}

function once<T, A extends unknown[]>(make: (...args: A) => T): (...args: A) => T {
  let made: { value: T } | undefined;
  return (...args) => {
    made ??= { value: make(...args) };
    return made.value;
  };
}
