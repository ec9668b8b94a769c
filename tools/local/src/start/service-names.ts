export const serviceNames = ['keys', 'profiles', 'metering', 'scan-scheduler', 'scanner', 'gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];
