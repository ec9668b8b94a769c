export { BudgetSpentError, type BudgetStore } from './budget.ts';
export { createMcpServer, type McpServerOptions } from './server.ts';
