import { pace, type QueuedRequest, type Share } from '../../app/domain/share.ts';

/** How much of an instance one caller may use over MCP: settings of the service. One address may send messages for many workspaces. */
export const defaultMcpLimits = {
  MCP_MESSAGES_AT_ONCE: 200,
  MCP_MESSAGES_AT_ONCE_PER_WORKSPACE: 40,
  MCP_MESSAGES_AT_ONCE_PER_ADDRESS: 100,
  MCP_MESSAGES_PER_MINUTE_PER_WORKSPACE: 1_200,
};

type McpLimitSettings = typeof defaultMcpLimits;

/** The owner of an accepted key. */
export interface McpKey {
  keyId: string;
  workspaceId: string;
  /** The number of concurrent requests that the plan allows. */
  concurrency: number;
}

/** Up to this number of messages, a workspace or an address is a light user. */
const light = { ofWorkspace: 4, ofAddress: 20 };
/** The last quarter of all places is kept for light users. */
const heavyPart = 3 / 4;
const maxOfKey = 20;
/** Bounds of the messages of an address whose keys were not accepted yet. */
const unaccepted = { ...pace(600, { burstSeconds: 6 }), atOnce: 20, waiting: 20 };
const running = { ofWorkspace: 2, ofAddress: 3 };
const waiting = { ofWorkspace: 20, ofAddress: 50 };

export type McpLimits = ReturnType<typeof createMcpLimits>;

/** Returns how messages count in the queue. `taken` returns the number of messages of a share that wait or are being answered. */
export function createMcpLimits(settings: McpLimitSettings, taken: (share: string) => number) {
  const all: Share = { key: 'mcp', bounds: { atOnce: settings.MCP_MESSAGES_AT_ONCE } };
  const heavy: Share = {
    key: 'mcp heavy',
    bounds: { atOnce: Math.max(1, Math.floor(settings.MCP_MESSAGES_AT_ONCE * heavyPart)) },
  };
  const addressShare = (address: string): Share => ({
    key: `mcp address ${address}`,
    whose: 'your network',
    bounds: {
      atOnce: settings.MCP_MESSAGES_AT_ONCE_PER_ADDRESS,
      running: running.ofAddress,
      waiting: waiting.ofAddress,
    },
  });
  const workspaceShare = (workspaceId: string): Share => ({
    key: `mcp workspace ${workspaceId}`,
    whose: 'your workspace',
    bounds: {
      ...pace(settings.MCP_MESSAGES_PER_MINUTE_PER_WORKSPACE, { burstSeconds: 2 }),
      atOnce: settings.MCP_MESSAGES_AT_ONCE_PER_WORKSPACE,
      running: running.ofWorkspace,
      waiting: waiting.ofWorkspace,
    },
  });
  const keyShare = ({ keyId, concurrency }: McpKey): Share => ({
    key: `mcp key ${keyId}`,
    whose: 'your key',
    bounds: { atOnce: Math.min(concurrency, maxOfKey) },
  });
  const heavyShares = (share: Share, maxLight: number) => (taken(share.key) >= maxLight ? [heavy] : []);

  const ofKey = (key: McpKey): Share[] => {
    const workspace = workspaceShare(key.workspaceId);
    return [keyShare(key), workspace, ...heavyShares(workspace, light.ofWorkspace)];
  };
  const unacceptedKey = (address: string) => `mcp unaccepted ${address}`;
  return {
    ofKey,
    /** The share in which a message counts until its key is accepted. */
    unacceptedKey,
    /** A message. `key` is the key that its token was accepted for before. */
    message(address: string, key: McpKey | undefined): QueuedRequest {
      const ofAddress = addressShare(address);
      const shares = [all, ofAddress, ...heavyShares(ofAddress, light.ofAddress)];
      if (key) return { turn: `workspace ${key.workspaceId}`, shares: [...ofKey(key), ...shares] };
      const own: Share = { key: unacceptedKey(address), whose: 'your network', bounds: unaccepted };
      return { turn: `address ${address}`, shares: [own, ...shares], isStranger: true };
    },
  };
}
