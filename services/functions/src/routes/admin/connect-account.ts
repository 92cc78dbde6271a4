import { checkCredentials, credentialFields } from '@onward/catalog'
import { connectAccount } from '@onward/contract'
import { Refusal, urlProblem } from '@onward/runtime'
import { presentAccount } from '../../catalog/present-account.ts'
import { withFirstToken } from '../../connect/tokens/first-token.ts'
import { applicationExists } from '../../db/applications.ts'
import { accountRow, insertAccount } from '../../db/connected-accounts.ts'
import { route } from '../route.ts'

export const connectAccountRoute = route(connectAccount, async (ctx, { params, body }) => {
  const { app_key: appKey } = params
  const { user_id: userId, credentials } = body
  if (!(await applicationExists(ctx.db, appKey))) throw new Refusal('application_not_found', 'there is no such application')
  const app = ctx.catalog.current.functions.app(body.app)
  if (app === undefined) throw new Refusal('app_not_found', 'there is no such app')
  if (!app.needsAccount) throw new Refusal('invalid_parameters', `${app.title} needs no account`, ['app: needs no account'])

  const problems = checkCredentials(app, credentials).map((problem) => `credentials.${problem}`)
  for (const { name, kind } of credentialFields(app)) {
    const problem = kind === 'url' ? urlProblem(String(credentials[name] ?? ''), ctx.config.outgoingReach) : undefined
    if (problem !== undefined && problems.length === 0) problems.push(`credentials.${name}: ${problem}`)
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(userId)) problems.push('user_id: must not hold control characters')
  if (problems.length > 0) throw new Refusal('invalid_parameters', 'the credentials are not valid', problems)

  const displayName = body.display_name ?? app.title
  const complete = await withFirstToken(ctx, app, credentials)
  const renewedAt = complete === credentials ? null : new Date()
  const account = await insertAccount(ctx.db, { appKey, userId, app: app.name, displayName, renewedAt }, (id) =>
    ctx.sealer.seal(JSON.stringify(complete), accountRow(id)),
  )
  return presentAccount(account)
})
