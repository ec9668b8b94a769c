export { KeyLink, KeyState, LastUsed } from './pages/key-facts.tsx';
export { StoresOff } from './pages/stores-off.tsx';
