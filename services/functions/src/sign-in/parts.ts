import type { BackgroundParts } from '../approval/parts.ts'
import type { Audited } from '../connect/audit.ts'
import type { Context } from '../context.ts'
import type { ClientDocuments } from './client-documents.ts'

/** The parts of the service that the sign-in of MCP clients uses. */
export type SignInParts = BackgroundParts & Pick<Context, 'access' | 'prediction'> & { readonly documents: ClientDocuments }

/** A request of a browser. */
export type SignInVisit = Audited & {
  /** Our address for browsers. */
  readonly publicUrl: string
  /** The browser's cookie, if it has one. */
  readonly browser: string | undefined
}
