import type { Context } from '../context.ts'

/** The parts of the service with which a call that waits for an approval is explained. */
export type BackgroundParts = Pick<
  Context,
  'accounts' | 'applications' | 'blocking' | 'catalog' | 'db' | 'log' | 'memory' | 'metrics' | 'oauth' | 'onward' | 'sealer'
>
