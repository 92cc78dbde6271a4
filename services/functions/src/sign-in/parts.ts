import type { BackgroundParts } from '../approval/parts.ts'
import type { Context } from '../context.ts'
import type { ClientDocuments } from './client-documents.ts'

/** The parts of the service that the sign-in of MCP clients uses. */
export type SignInParts = BackgroundParts & Pick<Context, 'access' | 'config' | 'prediction'> & { readonly documents: ClientDocuments }
