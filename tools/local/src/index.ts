/** Runs the system as processes, for tools with other servers, ports or settings than `npm start`. */
export { type ReadySystem, startLocalProcess } from './start/local-process.ts';
export { portsOf, type ServiceName, serviceNames, servicePorts } from './start/ports.ts';
export { demoStoresInstance, type Instance, type InstanceOptions, serviceInstances } from './start/services.ts';
export { readSettings, type StartSettings } from './start/settings.ts';
export { newSecrets } from './start/state.ts';
export { createSupervisor, type Member, type Supervisor, supervisedNode } from './start/supervisor.ts';
export { unlimitedKey, unlimitedKeys } from './start/unlimited-key.ts';
