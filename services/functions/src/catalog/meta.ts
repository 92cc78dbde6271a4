import type { AppFunction } from '@onward/catalog'
import type { FunctionMeta } from '@onward/contract'
import type { PredictedArguments } from '@onward/predict'
import type { Account } from '../db/connected-accounts.ts'
import { argumentsMeta } from './arguments-meta.ts'
import { presentAccount } from './present-account.ts'

export function functionMeta(
  { id, type, version, title, app }: AppFunction,
  accounts: readonly Account[],
  loginUrl: string,
  predicted?: PredictedArguments,
): FunctionMeta {
  const { name, icon_url } = app
  const shown = { name, title: app.title, icon_url, login_url: loginUrl, connected_accounts: accounts.map(presentAccount) }
  return { id, type, version, ui: { title }, app: shown, ...(predicted && { arguments: argumentsMeta(predicted) }) }
}
