import { readFileSync } from 'node:fs'
import type {
  createMcpToken,
  decideApproval,
  getApp,
  getApproval,
  getCall,
  getSubscription,
  getUserTaskHistory,
  getUserTasks,
  listApps,
  listCalls,
  listDeliveries,
  listMcpTokens,
  listOwnAccounts,
  listSubscriptions,
  openConnectSession,
  ResponseOf,
  ErrorCode as WireErrorCode,
  FunctionItem as WireFunctionItem,
} from '@onward/contract'
import { ERROR_STATUS } from '@onward/contract'
import type {
  App,
  Approval,
  ApprovalWithBackground,
  ConnectedAccount,
  ConnectSession,
  CreatedMcpToken,
  Delivery,
  ErrorCode,
  FunctionItem,
  LoggedCall,
  McpToken,
  OwnAccount,
  Subscription,
  SubscriptionWithCounts,
  TaskHistory,
  TaskStatus,
} from '../src/index.ts'
import { VERSION } from '../src/user-agent.ts'

/** Compiles only if a value of the wire type can be used as the type of this package, and has no field that is missing in it. */
type Shows<Own, Wire extends Own> = Exclude<keyof Wire, keyof Own> extends never ? true : never

const shown: readonly true[] = [
  true satisfies Shows<App, ResponseOf<typeof listApps>['apps'][number]>,
  true satisfies Shows<App & { connected_accounts: readonly ConnectedAccount[] }, ResponseOf<typeof getApp>>,
  true satisfies Shows<OwnAccount, ResponseOf<typeof listOwnAccounts>['connected_accounts'][number]>,
  true satisfies Shows<ConnectSession, ResponseOf<typeof openConnectSession>>,
  true satisfies Shows<FunctionItem, WireFunctionItem>,
  true satisfies Shows<LoggedCall, ResponseOf<typeof listCalls>['calls'][number]>,
  true satisfies Shows<LoggedCall, ResponseOf<typeof getCall>>,
  true satisfies Shows<Approval, ResponseOf<typeof decideApproval>>,
  true satisfies Shows<ApprovalWithBackground, ResponseOf<typeof getApproval>>,
  true satisfies Shows<McpToken, ResponseOf<typeof listMcpTokens>['tokens'][number]>,
  true satisfies Shows<CreatedMcpToken, ResponseOf<typeof createMcpToken>>,
  true satisfies Shows<TaskStatus, ResponseOf<typeof getUserTasks>>,
  true satisfies Shows<TaskHistory, ResponseOf<typeof getUserTaskHistory>>,
  true satisfies Shows<Subscription, ResponseOf<typeof listSubscriptions>['subscriptions'][number]>,
  true satisfies Shows<SubscriptionWithCounts, ResponseOf<typeof getSubscription>>,
  true satisfies Shows<Delivery, ResponseOf<typeof listDeliveries>['deliveries'][number]>,
  true satisfies Shows<ErrorCode, WireErrorCode>,
]

describe('the types', () => {
  it('show every field of the contract', () => {
    expect(new Set(shown)).toEqual(new Set([true]))
  })

  it('name every error code', () => {
    const codes = { ...ERROR_STATUS } satisfies Record<ErrorCode, number>
    expect(Object.keys(codes)).toHaveLength(Object.keys(ERROR_STATUS).length)
  })

  it('know the arguments of functions that a program declares', () => {
    type Known = import('../src/index.ts').ArgumentsOf<'types-test-send'>
    const args: Known = { text: 'hi' }
    const any: import('../src/index.ts').ArgumentsOf<'other'> = { whatever: 1 }
    expect([args, any]).toEqual([{ text: 'hi' }, { whatever: 1 }])
  })
})

declare module '../src/user-functions.ts' {
  interface FunctionArguments {
    'types-test-send': { readonly text: string }
  }
}

describe('the version', () => {
  it('is that of the package', () => {
    expect(JSON.parse(readFileSync('packages/client/package.json', 'utf8')).version).toBe(VERSION)
  })
})
