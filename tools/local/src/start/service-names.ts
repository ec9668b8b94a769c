export const serviceNames = [
  'keys',
  'profiles',
  'metering',
  'scan-scheduler',
  'scanner',
  'gateway',
  'dashboard',
] as const;
export type ServiceName = (typeof serviceNames)[number];
