import type { Context } from '../context.ts'

/** The parts of the service that a call uses. */
export type CallParts = Pick<
  Context,
  | 'access'
  | 'accounts'
  | 'applications'
  | 'blocking'
  | 'calls'
  | 'catalog'
  | 'config'
  | 'db'
  | 'log'
  | 'memory'
  | 'metrics'
  | 'oauth'
  | 'onward'
  | 'sealer'
>
