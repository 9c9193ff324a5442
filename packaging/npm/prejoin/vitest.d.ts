import type {Server} from './index.js';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodb: Pick<Server, 'endpoint' | 'region' | 'credentials'>;
  }
}

export default function setup(project?: unknown): Promise<() => Promise<void>>;
