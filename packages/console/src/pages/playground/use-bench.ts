import type * as contract from '@onward/contract'
import type { ResponseOf } from '@onward/contract'
import { useMemo, useState } from 'react'
import { areaA, functions } from '../../api/doors.ts'
import { getFunction, listCatalog } from '../../api/endpoints.ts'
import { useMe, useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { WORDS } from '../../text/words.ts'
import { useAccounts, type Waiting } from './accounts.tsx'
import { isFunction } from './is-function.ts'
import { keyOf } from './kept-draft.ts'
import { type Prefill, useForm } from './use-form.ts'
import type { Play } from './use-play.ts'
import { PLAY } from './words.ts'

export type EarlierCall = ResponseOf<typeof contract.readCall>

/** Reads what the playground shows for `play`: the accounts of the user, the function with its form, and what it lacks to be called. */
export function useBench({ appKey, user, fn, accountId: wanted }: Play, call: EarlierCall | undefined) {
  const { person } = useMe()
  const workspaceId = useWorkspaceId()
  const [predicted, setPredicted] = useState<Prefill | undefined>(undefined)
  const [waiting, setWaiting] = useState<Waiting | undefined>(undefined)

  const accounts = useAccounts(appKey, user, waiting !== undefined)
  const catalog = useRead(functions, listCatalog, { query: { workspace_id: workspaceId } })
  const described = useRead(
    areaA(appKey, user === '' ? 'anybody' : user),
    getFunction,
    { params: { function_name: fn }, query: { include: 'meta' }, body: {} },
    { enabled: fn !== '' && appKey !== '' },
  )
  const item = described.data !== undefined && isFunction(described.data) && described.data.name === fn ? described.data : undefined
  const fromCall = useMemo(() => prefillOf(call), [call])
  const prefill = [predicted, fromCall].find((one) => one?.fn === fn)
  const form = useForm(item, prefill, keyOf(person.id, appKey, fn))

  const app = catalog.data?.apps.find(({ name }) => name === item?.app)
  const needsAccount = app?.auth.some((type) => type !== 'none') === true
  const own = (accounts.data ?? []).filter((one) => one.app === item?.app)
  const accountId = own.some(({ id }) => String(id) === wanted) ? wanted : ''
  const used = own.find(({ id }) => String(id) === accountId) ?? own.find(({ is_default }) => is_default) ?? own[0]
  const isConnected = !needsAccount || own.some(({ status }) => status === 'active')
  const lacks =
    appKey === '' ? WORDS.applications.choose : user === '' ? PLAY.run.needsUser : isConnected ? undefined : PLAY.run.needsAccount
  const accountName = needsAccount ? (used?.display_name ?? '') : ''
  return {
    accounts,
    described,
    item,
    app,
    form,
    args: form?.args ?? {},
    fromCall,
    prefill,
    setPredicted,
    needsAccount,
    accountId,
    accountName,
    lacks,
    waiting,
    setWaiting,
  }
}

function prefillOf(call: EarlierCall | undefined): Prefill | undefined {
  if (call === undefined) return undefined
  return { id: `call-${call.id}`, fn: call.function_name, args: call.arguments ?? {}, origins: {} }
}
