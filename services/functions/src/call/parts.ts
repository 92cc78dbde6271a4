import type { App } from '@onward/catalog'
import type { PolicyRule } from '@onward/contract'
import type { Arguments } from '../catalog/validate.ts'
import type { Variables } from '../catalog/variables.ts'
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

/** What is called, and how. */
export type CallInput = {
  /** The id that the call gets if it is executed. */
  readonly callId: string
  readonly name: string
  readonly args: Arguments
  /** Whether the arguments came as a form, in which all values are text. */
  readonly form: boolean
  readonly variables: Variables | null
  readonly cursor: unknown
  /** The paths of the output to return; null for all of it. */
  readonly fields: readonly string[] | null
  readonly accountId: string | undefined
  /** Where the call came from, as the calls log shows it, such as `console`; null for the API. */
  readonly via: string | null
  /** The rules of the token that the call is made with; empty for calls without one. */
  readonly rules: readonly PolicyRule[]
  /** The MCP token that the call is made with; null for none. */
  readonly tokenId: string | null
  /** The id of the request that makes the call. */
  readonly requestId: string
  /** Returns a page on which the user connects an account of an app; "" if the sender of the request may not connect one. */
  readonly loginUrl: (app: App) => string
  /** Returns the page on which the user decides on an approval. */
  readonly approvalUrl: (id: string) => string
}
