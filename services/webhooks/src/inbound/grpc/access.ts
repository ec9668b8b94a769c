import type { Access } from '@shopscope/grpc';
import type { WebhooksServiceService } from '@shopscope/proto';

/** The peers that may call each RPC. */
export const webhooksAccess: Access<typeof WebhooksServiceService> = {
  createEndpoint: ['gateway'],
  getEndpoint: ['gateway'],
  listEndpoints: ['gateway'],
  updateEndpoint: ['gateway'],
  deleteEndpoint: ['gateway'],
  rotateSecret: ['gateway'],
  testEndpoint: ['gateway'],
  listDeliveries: ['gateway'],
  getDelivery: ['gateway'],
  retryDelivery: ['gateway'],
  replay: ['gateway'],
  getReplayJob: ['gateway'],
  listReplayJobs: ['gateway'],
  cancelReplayJob: ['gateway'],
};
