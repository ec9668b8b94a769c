/** The services. Each uses this name as its user in Kafka, MongoDB and Redis. */
export const services = ['gateway', 'keys', 'profiles', 'metering', 'scan-scheduler', 'scanner', 'dashboard'] as const;
export type ServiceName = (typeof services)[number];
