export { ImportSteps } from './pages/import-steps.tsx';
