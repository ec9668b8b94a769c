export { BudgetSpentError, type BudgetStore } from './budget.ts';
export { createMcpHandler, type McpHandlerOptions } from './http.ts';
export { readPage } from './read-page.ts';
export { createMcpServer, type McpServerOptions } from './server.ts';
