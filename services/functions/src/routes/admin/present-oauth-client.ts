import type { StoredClient } from '../../db/oauth-clients.ts'

/** An OAuth client as the wire shows it: without its secret. */
export function presentOAuthClient({ app, clientId, modifiedAt }: StoredClient) {
  return { app, client_id: clientId, modified_at: modifiedAt.toISOString() }
}
