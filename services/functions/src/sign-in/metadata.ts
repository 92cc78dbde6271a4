import { mcpAuthMethods } from '@onward/contract'

/** The scopes that a client can ask for: to read, and also to write. */
export const READ = 'functions:read'
export const WRITE = 'functions:write'
const REFRESH = 'offline_access'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Returns the MCP URL of an application, which is also the resource that its tokens are for. */
export function resourceOf(publicUrl: string, appKey: string): string {
  return `${publicUrl}/mcp/${appKey}`
}

/** Returns the App-Key of a resource; undefined if it is no MCP URL of this server. */
export function appKeyOf(publicUrl: string, resource: string | null): string | undefined {
  const prefix = resourceOf(publicUrl, '')
  if (resource === null || !resource.startsWith(prefix)) return undefined
  return /^([\w-]+)\/?$/.exec(resource.slice(prefix.length))?.[1]
}

/** Returns the scopes of a grant, as the token endpoint writes them. */
export function scopeOf({ readOnly, refreshes }: { readonly readOnly: boolean; readonly refreshes: boolean }): string {
  return [READ, ...(readOnly ? [] : [WRITE]), ...(refreshes ? [REFRESH] : [])].join(' ')
}

/** Returns the value of `WWW-Authenticate` that leads a client to the sign-in. `failed` says whether the request had a token. */
export function challengeOf(publicUrl: string, appKey: string, failed: boolean): string {
  const { origin, pathname } = new URL(resourceOf(publicUrl, appKey))
  const parts = [`resource_metadata="${origin}${WELL_KNOWN}${pathname}"`, `scope="${READ} ${WRITE}"`]
  return `Bearer ${[...(failed ? ['error="invalid_token"'] : []), ...parts].join(', ')}`
}

/** Returns the metadata of an application's MCP URL (RFC 9728), or without one, the metadata of the server. */
export function resourceMetadata(publicUrl: string, application?: { readonly appKey: string; readonly name: string }) {
  return {
    resource: application === undefined ? publicUrl : resourceOf(publicUrl, application.appKey),
    authorization_servers: [publicUrl],
    scopes_supported: [READ, WRITE],
    bearer_methods_supported: ['header'],
    resource_name: application?.name ?? 'Onward',
    resource_documentation: `${publicUrl}/docs/mcp`,
  }
}

/** Returns the metadata of the authorization server (RFC 8414). */
export function serverMetadata(publicUrl: string) {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: mcpAuthMethods,
    revocation_endpoint_auth_methods_supported: mcpAuthMethods,
    scopes_supported: [READ, WRITE, REFRESH],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${publicUrl}/docs/mcp`,
  }
}
