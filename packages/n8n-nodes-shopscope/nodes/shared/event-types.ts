import type { INodeProperties } from 'n8n-workflow';

const eventTypes: Readonly<Record<string, string>> = {
  'job.finished': 'Job Finished',
  'key.expiring': 'Key Expiring',
  'scan.completed': 'Scan Completed',
  'scan.failed': 'Scan Failed',
  'signal.confirmed': 'Signal Confirmed',
  'signal.retracted': 'Signal Retracted',
  'usage.threshold_reached': 'Usage Threshold Reached',
  'watchlist.paused': 'Watchlist Paused',
  'watchlist.rescans_paused': 'Watchlist Rescans Paused',
  'watchlist.rescans_resumed': 'Watchlist Rescans Resumed',
  'watchlist.resumed': 'Watchlist Resumed',
  'webhook.disabled': 'Webhook Disabled',
  'webhook.failing': 'Webhook Failing',
};

export const eventTypesProperty: INodeProperties = {
  displayName: 'Events',
  name: 'eventTypes',
  type: 'multiOptions',
  required: true,
  options: Object.entries(eventTypes).map(([value, name]) => ({ name, value })),
  default: ['signal.confirmed'],
};
