export { record as recordAudit } from './operations/audit.ts';
