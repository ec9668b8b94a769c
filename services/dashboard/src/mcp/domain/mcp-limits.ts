import { pace, type QueuedRequest, type Share } from '../../app/domain/share.ts';

/** What one caller may take of an instance over MCP: settings of the service. Many workspaces may share an address: programs of one provider call for all of them. */
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
  /** Requests at the same time, by the plan. */
  concurrency: number;
}

/** So many messages of a workspace or address are light use. */
const light = { ofWorkspace: 4, ofAddress: 20 };
/** The last quarter of all places is for light use. */
const heavyPart = 3 / 4;
const maxOfKey = 20;
/** Of an address, until their keys are accepted. */
const unaccepted = { ...pace(600, { burstSeconds: 6 }), atOnce: 20, waiting: 20 };
const running = { ofWorkspace: 2, ofAddress: 3 };
const waiting = { ofWorkspace: 20, ofAddress: 50 };

export type McpLimits = ReturnType<typeof createMcpLimits>;

/** How messages count in the queue of an instance. `taken` is the number of messages of a share that wait or are being answered. */
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
    /** The share of a message until its key is accepted. */
    unacceptedKey,
    /** A message, of the key that its token was accepted for before. */
    message(address: string, key: McpKey | undefined): QueuedRequest {
      const ofAddress = addressShare(address);
      const shares = [all, ofAddress, ...heavyShares(ofAddress, light.ofAddress)];
      if (key) return { turn: `workspace ${key.workspaceId}`, shares: [...ofKey(key), ...shares] };
      const own: Share = { key: unacceptedKey(address), whose: 'your network', bounds: unaccepted };
      return { turn: `address ${address}`, shares: [own, ...shares], isStranger: true };
    },
  };
}
