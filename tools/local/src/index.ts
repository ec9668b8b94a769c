/** Runs the system as processes, for tools with other servers, ports or settings than `npm start`. */
export { type LocalProcess, type ReadySystem, startLocalProcess } from './start/local-process.ts';
export { portsOf, servicePorts } from './start/ports.ts';
export { type ServiceName, serviceNames } from './start/service-names.ts';
export { demoStoresInstance, type Instance, type InstanceOptions, serviceInstances } from './start/services.ts';
export { readSettings, type StartSettings } from './start/settings.ts';
export { newSecrets } from './start/state.ts';
export { supervisedServer } from './start/supervised-server.ts';
export { createSupervisor, type Member, type Supervisor } from './start/supervisor.ts';
export { unlimitedKey, unlimitedKeys } from './start/unlimited-key.ts';
