import type { Access } from '@shopscope/grpc';
import type { WebhooksServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. */
export const webhooksAccess: Access<typeof WebhooksServiceService> = {
  createEndpoint: ['gateway', 'dashboard'],
  getEndpoint: ['gateway', 'dashboard'],
  listEndpoints: ['gateway', 'dashboard'],
  updateEndpoint: ['gateway', 'dashboard'],
  deleteEndpoint: ['gateway', 'dashboard'],
  rotateSecret: ['gateway', 'dashboard'],
  checkUrl: ['dashboard'],
  countMatches: ['dashboard'],
  testEndpoint: ['gateway', 'dashboard'],
  listDeliveries: ['gateway', 'dashboard'],
  getDelivery: ['gateway', 'dashboard'],
  retryDelivery: ['gateway', 'dashboard'],
  replay: ['gateway', 'dashboard'],
  getReplayJob: ['gateway', 'dashboard'],
  listReplayJobs: ['gateway', 'dashboard'],
  cancelReplayJob: ['gateway', 'dashboard'],
  resetTestEndpoints: ['gateway'],
};
