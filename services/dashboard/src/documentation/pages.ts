export { Code, Curl } from './pages/code.tsx';
