export { readStoreQuota, requireQuota } from './operations/store-quota.ts';
