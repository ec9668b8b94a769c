/** What the neighbour sent and received since it began. The names are those of the figures. */
export interface NeighbourCounts {
  'neighbour executed': number;
  'neighbour refused by limits': number;
  'neighbour out of units': number;
  /** Requests under its key that got another response or, unless it hung up itself, none. */
  'neighbour failed': number;
  'hang-ups': number;
  'slow reads': number;
  /** Slow reads that the gateway ended. */
  'slow reads cut': number;
  'wrong keys refused': number;
  /** Requests without a valid key that got another response or none. */
  'wrong keys unanswered': number;
  'open bodies': number;
  /** Bodies that the gateway refused or ended. */
  'open bodies cut': number;
  'most open bodies at once': number;
  /** Messages over MCP that were answered. */
  'MCP answered': number;
  'MCP refused by limits': number;
  /** Messages that got another response or none. */
  'MCP failed': number;
  'MCP slow bodies': number;
  'most MCP slow bodies at once': number;
  'neighbour CPU, s': number;
}

export const noCounts = (): NeighbourCounts => ({
  'neighbour executed': 0,
  'neighbour refused by limits': 0,
  'neighbour out of units': 0,
  'neighbour failed': 0,
  'hang-ups': 0,
  'slow reads': 0,
  'slow reads cut': 0,
  'wrong keys refused': 0,
  'wrong keys unanswered': 0,
  'open bodies': 0,
  'open bodies cut': 0,
  'most open bodies at once': 0,
  'MCP answered': 0,
  'MCP refused by limits': 0,
  'MCP failed': 0,
  'MCP slow bodies': 0,
  'most MCP slow bodies at once': 0,
  'neighbour CPU, s': 0,
});
