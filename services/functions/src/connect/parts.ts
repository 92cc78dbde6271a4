import type { Context } from '../context.ts'

/** The parts of the service that connecting accounts uses. */
export type ConnectParts = Pick<
  Context,
  'access' | 'accounts' | 'catalog' | 'config' | 'db' | 'log' | 'memory' | 'oauth' | 'onward' | 'sealer'
>
