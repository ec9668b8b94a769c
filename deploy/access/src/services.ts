/** The principals, each by the name under which it logs in everywhere. */
export const services = ['gateway', 'keys', 'profiles', 'metering', 'scan-scheduler', 'scanner'] as const;
export type ServiceName = (typeof services)[number];
