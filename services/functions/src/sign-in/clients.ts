import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type McpAuthMethod, mcpAuthMethods } from '@onward/contract'
import { newSecret, Refusal, refuseProblems } from '@onward/runtime'
import { plainText } from '../connect/pages/parts.ts'
import { hashToken } from '../connect/session.ts'
import { findClient, insertClient, insertOwnClient, touchClient } from '../db/mcp-clients.ts'
import type { Db } from '../db/tables.ts'
import { isDocumentUrl, MAX_CLIENT_NAME, readClient } from './client-documents.ts'
import { OAuthProblem } from './oauth-problem.ts'
import { isRedirectUri } from './redirects.ts'

const MAX_REDIRECTS = 20
const REDIRECT_RULE = 'must have https, http to this computer, or a private scheme'
const MAX_OWN_CLIENTS = 100

/**
 * Registers a client (RFC 7591), and returns the response. Redirect URIs that cannot be used are left out, because hosts send several for all
 * places where they run. Throws an OAuthProblem.
 */
export async function registerClient(db: Db, body: Readonly<Record<string, unknown>>) {
  const { token_endpoint_auth_method: method = 'client_secret_basic' } = body
  const { name, redirectUris, refreshes } = readClient(body)
  if (redirectUris.length === 0 || redirectUris.length > MAX_REDIRECTS) {
    throw new OAuthProblem('invalid_redirect_uri', `redirect_uris: send 1 to ${MAX_REDIRECTS} URIs, each of which ${REDIRECT_RULE}`)
  }
  if (!mcpAuthMethods.some((each) => each === method)) {
    throw new OAuthProblem('invalid_client_metadata', `token_endpoint_auth_method: must be one of ${mcpAuthMethods.join(', ')}`)
  }
  const { id, secret, secretHash } = newCredentials(method as McpAuthMethod)
  const client = {
    id,
    secretHash,
    name: name || 'An unnamed program',
    redirectUris: [...new Set(redirectUris)],
    refreshes,
  }
  await insertClient(db, client)
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.now() / 1_000),
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code', ...(client.refreshes ? ['refresh_token'] : [])],
    response_types: ['code'],
  }
}

function newCredentials(method: McpAuthMethod) {
  const secret = method === 'none' ? undefined : newSecret('mcs')
  const secretHash = secret === undefined ? null : hashToken(secret)
  return { id: `mcc_${randomBytes(16).toString('base64url')}`, secret, secretHash }
}

type Wanted = { readonly name: string; readonly redirectUris: readonly string[]; readonly authMethod: McpAuthMethod }

/** Makes a client for an application. Returns it with its secret, which is not stored. Throws a Refusal. */
export async function makeOwnClient(db: Db, appKey: string, wanted: Wanted) {
  const name = plainText(wanted.name, MAX_CLIENT_NAME)
  const wrong = wanted.redirectUris.flatMap((uri, at) => (isRedirectUri(uri) ? [] : [`redirect_uris[${at}]: ${REDIRECT_RULE}`]))
  refuseProblems([...(name === '' ? ['name: must have a character that people see'] : []), ...wrong])
  const { id, secret, secretHash } = newCredentials(wanted.authMethod)
  const client = { ...wanted, id, name, secretHash }
  const createdAt = await insertOwnClient(db, appKey, client, MAX_OWN_CLIENTS)
  if (createdAt === undefined) {
    throw new Refusal(
      'invalid_parameters',
      `the application already has ${MAX_OWN_CLIENTS} clients that were made by hand; delete one first`,
    )
  }
  return { ...client, createdAt, secret }
}

/** The fields of a form, each at most once. */
export type Fields = Readonly<Record<string, string | undefined>>

/**
 * Returns the id of the client that sends a request, and stores that it is in use. Throws `invalid_client` if the client is unknown or
 * forgotten, or if its secret is wrong. Hosts then register again.
 */
export async function authenticateClient(db: Db, authorization: string | undefined, fields: Fields): Promise<string> {
  const basic = readBasic(authorization)
  if (basic !== undefined && fields.client_secret !== undefined) {
    throw new OAuthProblem('invalid_request', 'send the client secret once: in the header or in the body')
  }
  const { id, secret } = basic ?? { id: fields.client_id, secret: fields.client_secret }
  if (id === undefined || (basic !== undefined && (fields.client_id ?? id) !== id)) throw invalidClient()
  // A client with a document has no secret. PKCE and the redirect URI protect its codes.
  if (isDocumentUrl(id)) return id
  const client = await findClient(db, id)
  if (client === undefined) throw invalidClient()
  if (client.secretHash !== null && !(secret !== undefined && timingSafeEqual(client.secretHash, hashToken(secret)))) throw invalidClient()
  await touchClient(db, id)
  return id
}

function invalidClient(): OAuthProblem {
  return new OAuthProblem('invalid_client', 'this client is not known here, or its secret is wrong; register it again')
}

function readBasic(authorization = ''): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) }
  } catch {
    throw invalidClient()
  }
}

/** Decodes a part of Basic credentials, which OAuth clients encode as in a form (RFC 6749, 2.3.1). */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
