import type { AppFunction } from '@onward/catalog'
import { Refusal, refuseProblems, type Sealer, type UserKey } from '@onward/runtime'
import { type Callable, type Functions, refuseFunction } from '../catalog/functions.ts'
import { type Arguments, validate } from '../catalog/validate.ts'
import { fillVariables } from '../catalog/variables.ts'
import { defaultAccount, type SealedAccount } from '../db/connected-accounts.ts'
import { mustReconnect } from '../onward/fresh-credentials.ts'
import { type HeldAccounts, isReady } from '../onward/held-accounts.ts'
import { lockArguments } from '../policy/enforce.ts'
import type { CallInput, CallParts } from './parts.ts'

type Resolved = { readonly callable: Callable; readonly account: SealedAccount | null }

/** Finds the function and the account to call it with. `account` is null when the function needs none. */
export async function resolve(
  { sealer, accounts }: { readonly sealer: Sealer; readonly accounts: HeldAccounts },
  functions: Functions,
  caller: UserKey,
  name: string,
  accountId: string | undefined,
): Promise<Resolved> {
  const callable = functions.get(name) ?? refuseFunction(functions, name)
  const { app } = callable.fn
  if (accountId === undefined && !app.needsAccount) return { callable, account: null }
  const choose = (candidates: readonly SealedAccount[]) =>
    accountId === undefined ? defaultAccount(candidates) : candidates.find(({ id }) => String(id) === accountId)
  // Without an account in memory that is ready, the database decides.
  let account = app.needsAccount ? choose(accounts.held(caller, app) ?? []) : undefined
  if (app.needsAccount && (account === undefined || !isReady(sealer, account, callable.fn)))
    account = choose(await accounts.read(caller, app))
  if (account === undefined && accountId === undefined) {
    throw new Refusal('account_not_connected', `connect an account of ${app.title} first`, [
      `${app.name}: the user has no connected account`,
    ])
  }
  if (account === undefined) {
    throw new Refusal('account_not_found', `you have no such connected account of ${app.title}`, [
      'connected_account_id: must be the id of one of the connected accounts of this app',
    ])
  }
  if (account.status === 'reconnect_required') throw mustReconnect(app, account)
  return { callable, account }
}

type SentArguments = Pick<CallInput, 'args' | 'form' | 'variables' | 'via' | 'rules'>

/** Returns the arguments that a call is made with: valid, with its variables, the defaults and what rules lock. Throws `invalid_parameters`. */
export async function resolveArguments(
  parts: Pick<CallParts, 'applications'>,
  caller: UserKey,
  callable: Callable,
  { args, form, variables, ...ruled }: SentArguments,
): Promise<Arguments> {
  const filled = variables === null ? args : fillVariables(args, variables)
  return validate(callable, await lockArguments(parts, caller, { fn: callable.fn, args: filled, ...ruled }), form)
}

/** Returns the error for a request that could not be built. If the account lacks a field, only the user can help. */
export function unbuildable({ name, app }: AppFunction, account: SealedAccount | null, problems: readonly string[]): Error {
  const lacking = problems.filter((problem) => problem.startsWith('account.'))
  if (account !== null && lacking.length > 0) {
    const reason = [...lacking, ...(account.lastError === null ? [] : [account.lastError])].join('; ')
    return mustReconnect(app, { lastError: reason })
  }
  refuseProblems(problems)
  return new Error(`the request of ${name} could not be built, but no problem was given`)
}
