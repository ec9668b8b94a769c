/** All internal contracts: generated messages and service definitions, and the events. */
export * from '../gen/shopscope/common/v1/common.ts';
export * from '../gen/shopscope/dashboard/v1/dashboard.ts';
export * from '../gen/shopscope/events/v1/key_ack.ts';
export * from '../gen/shopscope/events/v1/key_activity.ts';
export * from '../gen/shopscope/events/v1/key_changed.ts';
export * from '../gen/shopscope/events/v1/observation.ts';
export * from '../gen/shopscope/events/v1/profile_updated.ts';
export * from '../gen/shopscope/events/v1/request_completed.ts';
export * from '../gen/shopscope/events/v1/scan_requested.ts';
export * from '../gen/shopscope/events/v1/usage.ts';
export * from '../gen/shopscope/keys/v1/keys.ts';
export * from '../gen/shopscope/metering/v1/metering.ts';
export * from '../gen/shopscope/profiles/v1/profiles.ts';
export * from '../gen/shopscope/scans/v1/scans.ts';
export * from './events.ts';
export * from './get-stores.ts';
