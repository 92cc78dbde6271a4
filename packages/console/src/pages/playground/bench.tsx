import type * as contract from '@onward/contract'
import type { Answer } from '@onward/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { areaA, functions } from '../../api/doors.ts'
import { getFunction, listCatalog } from '../../api/endpoints.ts'
import { useMe, useWorkspaceId } from '../../api/me.ts'
import { type Reading, useRead } from '../../api/queries.ts'
import { AppLogo } from '../../parts/app-logo.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Tag } from '../../ui/badge.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, Group } from '../../ui/section.tsx'
import { Lines, Skeleton } from '../../ui/skeleton.tsx'
import { Accounts, useAccounts, type Waiting } from './accounts.tsx'
import { CallerContext } from './caller.ts'
import { ChooseFunction } from './choose-function.tsx'
import { FormView } from './form-view.tsx'
import { FromCall } from './from-call.tsx'
import { isFunction } from './is-function.ts'
import { keyOf } from './kept-draft.ts'
import styles from './playground.module.css'
import { Prompt } from './prompt.tsx'
import { Run } from './run.tsx'
import { type Prefill, useForm } from './use-form.ts'
import type { Play } from './use-play.ts'
import { Who } from './who.tsx'
import { PLAY } from './words.ts'

type EarlierCall = Answer<typeof contract.readCall>

type BenchProps = {
  applications: readonly { readonly app_key: string; readonly name: string }[]
  play: Play
  call: Reading<EarlierCall>
  onChange(change: Partial<Play>): void
}

/** Everything of the playground: on the left what to call, on the right what comes of it. */
export function Bench({ applications, play, call, onChange }: BenchProps): ReactNode {
  const { appKey, user, fn, callId } = play
  const { person } = useMe()
  const workspaceId = useWorkspaceId()
  const [way, setWay] = useState<'function' | 'prompt'>('function')
  const [predicted, setPredicted] = useState<Prefill | undefined>(undefined)
  const [waiting, setWaiting] = useState<Waiting | undefined>(undefined)

  const accounts = useAccounts(appKey, user, waiting !== undefined)
  const catalog = useRead(functions, listCatalog, { query: { workspace_id: workspaceId } })
  const described = useRead(
    areaA(appKey, user === '' ? 'anybody' : user),
    getFunction,
    { params: { function_name: fn }, query: { include: 'meta' }, body: {} },
    { enabled: fn !== '' },
  )
  const item = described.data !== undefined && isFunction(described.data) && described.data.name === fn ? described.data : undefined
  const fromCall = useMemo(() => prefillOf(call.data), [call.data])
  const prefill = [predicted, fromCall].find((one) => one?.fn === fn)
  const form = useForm(item, prefill, keyOf(person.id, appKey, fn))

  const app = catalog.data?.apps.find(({ name }) => name === item?.app)
  const needsAccount = app?.auth.some((type) => type !== 'none') === true
  const own = (accounts.data ?? []).filter((one) => one.app === item?.app)
  const accountId = own.some(({ id }) => String(id) === play.accountId) ? play.accountId : ''
  const used = own.find(({ id }) => String(id) === accountId) ?? own.find(({ is_default }) => is_default) ?? own[0]
  const isConnected = !needsAccount || own.some(({ status }) => status === 'active')
  const lacks = user === '' ? PLAY.run.needsUser : isConnected ? undefined : PLAY.run.needsAccount
  const args = form?.args ?? {}

  return (
    <CallerContext value={{ appKey, user, args }}>
      <div className={styles.bench}>
        <div className={styles.left}>
          <Group title={PLAY.who}>
            <div className={styles.stack}>
              <Who
                applications={applications}
                appKey={appKey}
                user={user}
                onApplication={(next) => onChange({ ...play, appKey: next, accountId: '' })}
                onUser={(next) => onChange({ ...play, user: next, accountId: '' })}
              />
              {user !== '' && accounts.data !== undefined && (item === undefined || needsAccount) && (
                <Accounts
                  appKey={appKey}
                  user={user}
                  accounts={accounts.data}
                  app={item === undefined ? undefined : { name: item.app, title: app?.title ?? item.app }}
                  accountId={accountId}
                  waiting={waiting}
                  onAccount={(id) => onChange({ ...play, accountId: id })}
                  onWaiting={setWaiting}
                />
              )}
              {user !== '' && accounts.error !== undefined && (
                <Failure
                  title={PLAY.accounts.title}
                  error={accounts.error}
                  stale={accounts.data !== undefined}
                  busy={accounts.loading}
                  retry={accounts.retry}
                />
              )}
            </div>
          </Group>
          <Group
            title={PLAY.what}
            actions={
              <Choice
                label={PLAY.way}
                value={way}
                choices={(Object.keys(PLAY.ways) as (typeof way)[]).map((value) => ({ value, label: PLAY.ways[value] }))}
                onChange={(value) => setWay(value)}
              />
            }
          >
            <div className={styles.stack}>
              {way === 'prompt' ? (
                <Prompt
                  appKey={appKey}
                  user={user}
                  fn={fn}
                  onUse={(next) => {
                    setPredicted(next)
                    onChange({ ...play, fn: next.fn, callId: '' })
                  }}
                />
              ) : (
                <ChooseFunction
                  appKey={appKey}
                  user={user}
                  fn={fn}
                  hasAccounts={(accounts.data?.length ?? 0) > 0}
                  onChoose={(next) => {
                    setPredicted(undefined)
                    onChange({ ...play, fn: next, callId: next === fromCall?.fn ? callId : '' })
                  }}
                />
              )}
              {item !== undefined && <About item={item} appTitle={app?.title ?? item.app} />}
            </div>
          </Group>
          {described.error !== undefined && (
            <Failure
              title={PLAY.form.failed}
              error={described.error}
              stale={item !== undefined}
              busy={described.loading}
              retry={described.retry}
            />
          )}
          {fn !== '' && item === undefined && described.error === undefined && (
            <Skeleton>
              <Lines count={4} />
            </Skeleton>
          )}
          {form !== undefined && (
            <FormView
              key={`${fn} ${prefill?.id}`}
              form={form}
              notice={callId !== '' && <FromCall call={call} form={form} onDismiss={() => onChange({ ...play, callId: '' })} />}
            />
          )}
        </div>
        <div className={styles.right}>
          <Card>
            {item === undefined || form === undefined ? (
              <Empty title={PLAY.noFunction} help={PLAY.noFunctionHelp} />
            ) : (
              <Run
                key={item.name}
                item={item}
                form={form}
                task={{ appKey, user, fn, accountId, args }}
                account={needsAccount ? (used?.display_name ?? '') : ''}
                lacks={lacks}
              />
            )}
          </Card>
        </div>
      </div>
    </CallerContext>
  )
}

function About({ item, appTitle }: { item: contract.FunctionItem; appTitle: string }): ReactNode {
  return (
    <div className={styles.about}>
      <AppLogo app={item.app} title={appTitle} size={32} />
      <div>
        <p className={styles.aboutTitle}>
          <strong>{item.title}</strong>
          <Tag>{item.type}</Tag>
          {item.meta?.destructive === true && <Tag bad>{PLAY.destructive}</Tag>}
        </p>
        <p>{item.description}</p>
        <PageLink page="catalog" path={encodeURIComponent(item.app)}>
          {PLAY.openInCatalog}
        </PageLink>
      </div>
    </div>
  )
}

function prefillOf(call: EarlierCall | undefined): Prefill | undefined {
  if (call === undefined) return undefined
  return { id: `call-${call.id}`, fn: call.function_name, args: call.arguments ?? {}, origins: {} }
}
