import type { Target } from '../../shell/links.tsx'
import type { OVERVIEW_WORDS } from './words.ts'

type StepName = keyof typeof OVERVIEW_WORDS.setup.steps

/** `done` is undefined while it is not known, or if it could not be read. */
export type SetupStep = { readonly name: StepName; readonly done: boolean | undefined; readonly target: Target }

/** The limit that a new workspace has for its users. */
const FIRST_LIMIT = 10_000

/** What the services know of a workspace; each part is undefined until it is read. */
export type Known = {
  readonly applications: readonly { readonly app_key: string }[] | undefined
  readonly accounts: number | undefined
  readonly newestCall: { readonly id: string; readonly app_key: string } | null | undefined
  readonly workspace: { readonly default_limit: number; readonly bulk_limit: number | null } | undefined
  /** How many users with their own limit were found in the application of the newest call. */
  readonly ownLimits: number | undefined
  readonly subscriptions: number | undefined
  readonly counted: boolean | undefined
}

/** Returns the six steps with what is done, from what the services report. Nothing is remembered. */
export function setupSteps({ applications, accounts, newestCall, workspace, ownLimits, subscriptions, counted }: Known): SetupStep[] {
  const app_key = newestCall?.app_key
  return [
    { name: 'application', done: some(applications?.length), target: { page: 'applications' } },
    { name: 'account', done: some(accounts), target: { page: 'catalog' } },
    { name: 'call', done: newestCall === undefined ? undefined : newestCall !== null, target: { page: 'playground' } },
    { name: 'limit', done: hasLimit(workspace, ownLimits), target: { page: 'users' } },
    { name: 'webhook', done: some(subscriptions), target: { page: 'webhooks' } },
    {
      name: 'log',
      done: newestCall === null ? false : counted,
      target: { page: 'calls', search: newestCall ? { app_key, call: newestCall.id } : {} },
    },
  ]
}

function some(count: number | undefined): boolean | undefined {
  return count === undefined ? undefined : count > 0
}

/** A limit was set for all new users, for all users at once, or for a user. */
function hasLimit(workspace: Known['workspace'], ownLimits: number | undefined): boolean | undefined {
  if (workspace === undefined) return undefined
  const { default_limit, bulk_limit } = workspace
  return default_limit !== FIRST_LIMIT || bulk_limit !== null ? true : some(ownLimits)
}
