/** What the neighbour has sent and received since it began. The names are those of the figures. */
export type NeighbourCounts = ReturnType<typeof noCounts>;

export const noCounts = () => ({
  'neighbour executed': 0,
  'neighbour refused by limits': 0,
  'neighbour out of units': 0,
  /** Requests with its key that got another response or none, except those at which it hung up itself. */
  'neighbour failed': 0,
  'test executed': 0,
  'test refused by limits': 0,
  'test out of units': 0,
  /** Requests with the test key that got another response or none. */
  'test failed': 0,
  'hang-ups': 0,
  'slow reads': 0,
  /** Slow reads that the gateway ended. */
  'slow reads cut': 0,
  'wrong keys refused': 0,
  /** Requests without a valid key that got another response or none. */
  'wrong keys unanswered': 0,
  'open bodies': 0,
  /** Bodies that the gateway refused or ended. */
  'open bodies cut': 0,
  'most open bodies at once': 0,
  /** Messages over MCP that were answered. */
  'MCP answered': 0,
  'MCP refused by limits': 0,
  /** Messages that got another response or none. */
  'MCP failed': 0,
  'MCP slow bodies': 0,
  'most MCP slow bodies at once': 0,
  'neighbour CPU, s': 0,
});
