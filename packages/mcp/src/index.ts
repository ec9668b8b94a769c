export { answerMessage } from './answer-message.ts';
export type { BudgetStore } from './budget.ts';
export { createMcpServer, type McpServerOptions } from './server.ts';
export type { ToolCall } from './tools/tool.ts';
