import type { SealedColumn } from '@onward/runtime'
import { secretRow } from './applications.ts'
import { accountRow } from './connected-accounts.ts'
import { signInSettingRow } from './mcp-sign-in-settings.ts'
import { oauthClientRow } from './oauth-clients.ts'

/** All columns with secrets that live longer than a day. The other sealed values expire within a day, like the responses of calls with keys. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'application', column: 'sealed_secret', key: ['app_key'], row: secretRow },
  { table: 'application', column: 'sealed_previous_secret', key: ['app_key'], row: secretRow },
  { table: 'oauth_client', column: 'sealed_client_secret', key: ['app_key', 'app'], row: oauthClientRow },
  { table: 'mcp_sign_in_setting', column: 'sealed_openid_secret', key: ['app_key'], row: signInSettingRow },
  { table: 'connected_account', column: 'sealed_credentials', key: ['id'], row: (id) => accountRow(Number(id)) },
]
